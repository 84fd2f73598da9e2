/** Set by every live worker of a queue and short-lived: absent means that nobody works. */
export function aliveKey (prefix: string, queueName: string): string {
  return `${prefix}:alive:${queueName}`
}

/** Pub/sub channel on which producers name jobs that nobody waits for any more. */
export function cancelChannel (prefix: string, queueName: string): string {
  return `${prefix}:cancel:${queueName}`
}
