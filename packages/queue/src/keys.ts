/** Set by every live worker of a queue and short-lived: absent means that nobody works. */
export function aliveKey(prefix: string, queueName: string): string {
  return `${prefix}:alive:${queueName}`
}

/** Pub/sub channel on which producers name jobs that nobody waits for any more. */
export function cancelChannel(prefix: string, queueName: string): string {
  return `${prefix}:cancel:${queueName}`
}

/** Sorted set of the workers of a queue with how many jobs each runs at once, by when they count as gone. */
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
