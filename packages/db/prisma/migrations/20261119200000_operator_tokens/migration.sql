-- Tokens that may manage tokens through the API.
ALTER TABLE "tokens" ADD COLUMN     "is_operator" BOOLEAN NOT NULL DEFAULT false;
