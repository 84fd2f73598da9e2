-- A GIN index collects new entries in a list that each search reads from end to end, until a vacuum files them or the list is
-- full. By default it holds 4 MB, and a few thousand uploads made a search more than ten times as expensive. 256 kB are some
-- 500 names: a search hardly notices them, and uploads still share the work of filing them.
ALTER INDEX "files_search_idx" SET (gin_pending_list_limit = 256);
-- What the list holds by now.
SELECT gin_clean_pending_list('files_search_idx'::regclass);
