/**
 * The settings of an operator with one busy client: a limit far above what it sends, but counted; as many
 * files and generations per worker as clamd and the model can take. Everything else is the default.
 */
export const benchSettings = {
  RATE_LIMIT_PER_MINUTE: '10000000',
  AI_RATE_LIMIT_PER_MINUTE: '10000000',
  AUTH_FAILURES_PER_MINUTE: '300',
  SCAN_CONCURRENCY: '8',
  INFERENCE_CONCURRENCY: '64'
}

/** The runtime names of the catalogue's models, by default. */
export const models = ['qwen2.5-coder:1.5b', 'qwen2.5-coder:7b', 'granite3.3:8b', 'qwen2.5-coder:0.5b']
