-- CreateTable
CREATE TABLE "installation" (
    "slot" INTEGER NOT NULL DEFAULT 1,
    "id" TEXT NOT NULL,
    "store_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "swept_at" TIMESTAMPTZ(3),

    CONSTRAINT "installation_pkey" PRIMARY KEY ("slot")
);

-- CreateTable
CREATE TABLE "unknown_times" (
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "unknown_times_pkey" PRIMARY KEY ("ended_at")
);
