import t from 'tap'
import { AppError, InvalidFieldError, isAppError } from '../src/index.js'

t.test('AppError has its code, its cause and whether a retry may help', async (t) => {
  const cause = new Error('socket closed')

  const error = new AppError('STORAGE_UNAVAILABLE', 'disk gone', { cause, retryable: true })

  t.match(error, { code: 'STORAGE_UNAVAILABLE', message: 'disk gone', retryable: true })
  t.equal(error.cause, cause)
})

t.test('AppError is not retryable and has no cause by default', async (t) => {
  const error = new AppError('FORBIDDEN', 'no')

  t.equal(error.retryable, false)
  t.notOk('cause' in error)
})

t.test('InvalidFieldError names the field and the rule it breaks', async (t) => {
  const error = new InvalidFieldError('folder', "must not contain '..'")

  t.match(error, {
    code: 'INVALID_FIELD',
    field: 'folder',
    rule: "must not contain '..'",
    message: "folder must not contain '..'"
  })
})

t.test('isAppError distinguishes our errors from others, and by code', async (t) => {
  t.ok(isAppError(new AppError('FORBIDDEN', '')))
  t.ok(isAppError(new AppError('FORBIDDEN', ''), 'FORBIDDEN'))
  t.notOk(isAppError(new AppError('FORBIDDEN', ''), 'UNAUTHORIZED'))
  t.notOk(isAppError(new Error('plain')))
  t.notOk(isAppError(undefined))
})
