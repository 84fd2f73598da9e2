import {
  readStackInfo,
  startStack,
  type RunningStack,
  type RunningStackInfo,
  type Teardown
} from './stack.js'

/** Set by the test runner: the data folder and the token of a stack that serves several test files. */
export const SHARED_STACK = 'FILEWRIGHT_TEST_STACK'

/** Set to test a deployment: the address of a running service, and a token for all its projects. */
const DEPLOYMENT = { url: 'FILEWRIGHT_TEST_URL', token: 'FILEWRIGHT_TEST_TOKEN' }

/** The properties that a test needs if it only sends requests. */
export type Service = Pick<RunningStack, 'baseUrl' | 'token'> & Partial<Pick<RunningStack, 'dataDir'>>

export type SharedStack = Pick<RunningStack, 'baseUrl' | 'adminUrl' | 'token' | 'dataDir' | 'info'>

/** The service under test instead of the test's own stack; undefined when none is named. */
export function deployedService(): Service | undefined {
  const baseUrl = process.env[DEPLOYMENT.url]
  const token = process.env[DEPLOYMENT.token]
  return baseUrl === undefined || token === undefined ? undefined : { baseUrl, token }
}

/**
 * A stack with the default settings, for a test that changes no part of it and does not expect it to be
 * empty. A run of many files shares one; a file that is run separately starts its own.
 */
export async function shareStack(t: Teardown): Promise<SharedStack> {
  const shared = process.env[SHARED_STACK]
  if (shared === undefined) return await startStack(t)
  const { dataDir, token } = JSON.parse(shared) as { dataDir: string; token: string }
  const info = (): RunningStackInfo => readStackInfo(dataDir)
  const { baseUrl, adminUrl } = info()
  return { baseUrl, adminUrl, token, dataDir, info }
}
