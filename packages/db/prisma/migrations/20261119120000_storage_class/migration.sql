-- The class in which a bucket keeps new files of a project.
ALTER TABLE "projects" ADD COLUMN     "storage_class" VARCHAR(16)
  CHECK ("storage_class" IN ('standard', 'cool', 'cold'));
