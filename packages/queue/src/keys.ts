/** Pub/sub channel on which producers name abandoned jobs. */
export function cancelChannel(prefix: string, queueName: string): string {
  return `${prefix}:cancel:${queueName}`
}

/** Sorted set of a queue's live worker ids, by expiry. */
export function workersKey(prefix: string, queueName: string): string {
  return `${prefix}:workers:${queueName}`
}

/** One live worker's report on its dependency. */
export function reportKey(prefix: string, queueName: string, workerId: string): string {
  return `${prefix}:worker:${queueName}:${workerId}`
}

/**
 * Sorted set of the workers that take jobs, with their concurrency, by expiry. Absent means that no worker
 * takes jobs.
 */
export function slotsKey(prefix: string, queueName: string): string {
  return `${prefix}:slots:${queueName}`
}

/** Sorted set of one lane's jobs in the queue, of all gateways, by expiry. */
export function laneKey(prefix: string, queueName: string, lane: string): string {
  return `${prefix}:lane:${queueName}:${lane}`
}

/** Sorted set of jobs that gateways hold back, by expiry. Autoscalers add its size to the queue's. */
export function heldKey(prefix: string, queueName: string): string {
  return `${prefix}:held:${queueName}`
}
