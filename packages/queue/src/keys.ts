/** Pub/sub channel on which producers name jobs that nobody waits for any more. */
export function cancelChannel(prefix: string, queueName: string): string {
  return `${prefix}:cancel:${queueName}`
}

/** Sorted set of the ids of a queue's live workers, by when they count as gone. */
export function workersKey(prefix: string, queueName: string): string {
  return `${prefix}:workers:${queueName}`
}

/** What one live worker says of the part behind it. */
export function reportKey(prefix: string, queueName: string, workerId: string): string {
  return `${prefix}:worker:${queueName}:${workerId}`
}

/**
 * Sorted set of the workers that take jobs, with how many jobs each runs at once, by when they count as gone.
 * Absent means that nobody takes jobs.
 */
export function slotsKey(prefix: string, queueName: string): string {
  return `${prefix}:slots:${queueName}`
}

/** Sorted set of one lane's jobs in the queue, those of all gateways, by when they count as gone. */
export function laneKey(prefix: string, queueName: string, lane: string): string {
  return `${prefix}:lane:${queueName}:${lane}`
}

/**
 * Sorted set of jobs that gateways hold back, by when they count as gone. Autoscalers add its size to that of
 * the queue.
 */
export function heldKey(prefix: string, queueName: string): string {
  return `${prefix}:held:${queueName}`
}
