-- How many attempts an endpoint may have under way: one until it has answered promptly, one more after each prompt answer.
ALTER TABLE "webhook_endpoints" ADD COLUMN     "at_once" SMALLINT NOT NULL DEFAULT 1;

-- The newest position whose event was removed: a reader that continues from before it may have missed some.
INSERT INTO event_cursor (slot, txid, id) VALUES (2, 0, 0);

-- A gateway of the version before calls it without the last two arguments.
DROP FUNCTION claim_webhook_deliveries(text, integer, integer, integer, integer, integer);

-- Takes due deliveries for one attempt each. Endpoints take turns. One that answers promptly gets as many attempts at the
-- same time as `at_once` says, at most `per_endpoint`. One whose last attempt failed gets one, as does one that is new or
-- slow; all that fail have `max_failing` together, all that are new or slow `max_slow`, and all of one token `per_owner`.
-- Those of one token that fail, are new or slow have at most half of `max_slow`, so that the first event of another token's new
-- endpoint does not wait for them.
--
-- A delivery waits for an earlier event of its file, unless that has failed `ordered_attempts` times. One that has to wait
-- leaves the due ones until the earlier one is attempted again; the result of that attempt makes it due. So each call looks
-- at a bounded number of rows, however many wait.
--
-- A function, because each of its statements sees what was committed before it: the counts are taken after the endpoint's
-- lock. The settings are for a table that grows from nothing to a hundred thousand due rows before it is analyzed: without
-- them PostgreSQL reads all of them on each call.
CREATE FUNCTION claim_webhook_deliveries(
  claimed_by text, lease_ms integer, max_claims integer, per_endpoint integer, max_failing integer, ordered_attempts integer,
  max_slow integer DEFAULT 16, per_owner integer DEFAULT 48
) RETURNS SETOF webhook_deliveries LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off AS $$
DECLARE
  looked_at CONSTANT integer := 50;
  max_looks CONSTANT integer := 20;
  endpoint record;
  is_failing boolean;
  is_slow boolean;
  under_way integer;
  room integer;
  found_rows integer;
  taken integer;
  left_over integer := max_claims;
  left_failing integer;
  left_slow integer;
  of_owner jsonb;
  poor_of_owner jsonb;
BEGIN
  SELECT coalesce(jsonb_object_agg(claimed.owner, claimed.total), '{}'),
    coalesce(jsonb_object_agg(claimed.owner, claimed.failing + claimed.slow), '{}'),
    max_failing - coalesce(sum(claimed.failing), 0), max_slow - coalesce(sum(claimed.slow), 0)
  INTO of_owner, poor_of_owner, left_failing, left_slow
  FROM (
    SELECT coalesce(e.token_id, e.id) AS owner, count(*) AS total, count(*) FILTER (WHERE e.failing_since IS NOT NULL) AS failing,
      count(*) FILTER (WHERE e.failing_since IS NULL AND e.at_once = 1) AS slow
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.claim IS NOT NULL AND d.next_attempt_at > clock_timestamp()
    GROUP BY 1
  ) claimed;

  FOR endpoint IN
    -- Jumps from endpoint to endpoint through the index instead of reading every pending delivery.
    WITH RECURSIVE waiting AS (
      (SELECT endpoint_id FROM webhook_deliveries WHERE state = 'pending' ORDER BY endpoint_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.state = 'pending' AND d.endpoint_id > w.endpoint_id
        ORDER BY d.endpoint_id LIMIT 1)
      FROM waiting w WHERE w.endpoint_id IS NOT NULL
    )
    SELECT e.id, e.failing_since, e.at_once, coalesce(e.token_id, e.id) AS owner
    FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id
    WHERE e.enabled AND (
      SELECT d.next_attempt_at FROM webhook_deliveries d WHERE d.endpoint_id = e.id AND d.state = 'pending'
      ORDER BY d.next_attempt_at LIMIT 1
    ) <= clock_timestamp()
    ORDER BY e.served_at, e.id FOR UPDATE OF e SKIP LOCKED
  LOOP
    EXIT WHEN left_over <= 0;
    is_failing := endpoint.failing_since IS NOT NULL;
    is_slow := NOT is_failing AND endpoint.at_once = 1;
    SELECT count(*) INTO under_way FROM webhook_deliveries d
    WHERE d.endpoint_id = endpoint.id AND d.claim IS NOT NULL AND d.next_attempt_at > clock_timestamp();
    room := CASE WHEN is_failing THEN least(1 - under_way, left_failing) WHEN is_slow THEN least(1 - under_way, left_slow)
      ELSE least(per_endpoint, endpoint.at_once) - under_way END;
    room := least(room, left_over, per_owner - coalesce((of_owner ->> endpoint.owner)::integer, 0));
    IF is_failing OR is_slow THEN
      room := least(room, (max_slow + 1) / 2 - coalesce((poor_of_owner ->> endpoint.owner)::integer, 0));
    END IF;
    taken := 0;

    FOR look IN 1 .. max_looks LOOP
      EXIT WHEN room <= 0;
      RETURN QUERY
      WITH due AS MATERIALIZED (
        SELECT c.id, c.file_id, c.event_id, c.next_attempt_at FROM webhook_deliveries c
        WHERE c.endpoint_id = endpoint.id AND c.state = 'pending' AND c.next_attempt_at <= clock_timestamp()
        ORDER BY c.next_attempt_at, c.id LIMIT looked_at
      ), first_of_file AS MATERIALIZED (
        SELECT f.file_id, p.event_id, p.next_attempt_at
        FROM (SELECT DISTINCT due.file_id FROM due WHERE due.file_id IS NOT NULL) f, LATERAL (
          SELECT b.event_id, b.next_attempt_at FROM webhook_deliveries b
          WHERE b.endpoint_id = endpoint.id AND b.file_id = f.file_id AND b.state = 'pending' AND b.attempts < ordered_attempts
          ORDER BY b.event_id LIMIT 1
        ) p
      ), judged AS MATERIALIZED (
        SELECT due.id, due.next_attempt_at,
          CASE WHEN first.event_id < due.event_id THEN first.next_attempt_at END AS waits_until
        FROM due LEFT JOIN first_of_file first ON first.file_id = due.file_id
      ), asleep AS (
        -- Not one that a result has made due meanwhile. A claim of a due one has expired.
        UPDATE webhook_deliveries d
        SET claim = NULL, next_attempt_at = greatest(j.waits_until, clock_timestamp()) + lease_ms * interval '1 millisecond'
        FROM judged j WHERE j.waits_until IS NOT NULL AND d.id = j.id AND d.next_attempt_at = j.next_attempt_at
      )
      UPDATE webhook_deliveries d
      SET claim = claimed_by, next_attempt_at = clock_timestamp() + lease_ms * interval '1 millisecond'
      FROM (SELECT j.id FROM judged j WHERE j.waits_until IS NULL ORDER BY j.next_attempt_at, j.id LIMIT room) free
      WHERE d.id = free.id RETURNING d.*;
      GET DIAGNOSTICS found_rows = ROW_COUNT;
      taken := taken + found_rows;
      room := room - found_rows;
      EXIT WHEN taken > 0 OR NOT EXISTS (
        SELECT 1 FROM webhook_deliveries d
        WHERE d.endpoint_id = endpoint.id AND d.state = 'pending' AND d.next_attempt_at <= clock_timestamp()
      );
    END LOOP;

    CONTINUE WHEN taken = 0;
    left_over := left_over - taken;
    left_failing := left_failing - CASE WHEN is_failing THEN taken ELSE 0 END;
    left_slow := left_slow - CASE WHEN is_slow THEN taken ELSE 0 END;
    of_owner := of_owner || jsonb_build_object(endpoint.owner, coalesce((of_owner ->> endpoint.owner)::integer, 0) + taken);
    IF is_failing OR is_slow THEN
      poor_of_owner := poor_of_owner
        || jsonb_build_object(endpoint.owner, coalesce((poor_of_owner ->> endpoint.owner)::integer, 0) + taken);
    END IF;
    UPDATE webhook_endpoints SET served_at = clock_timestamp() WHERE id = endpoint.id;
  END LOOP;
END $$;
