const units = ['B', 'KB', 'MB', 'GB', 'TB']

/** 1,234,567 becomes "1.2 MB". A kilobyte has 1,024 bytes, so 50 MB is 52,428,800 bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** power
  const digits = power > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value))
  return `${digits} ${units[power] ?? ''}`
}
