// Loaded before a test file. tap follows every promise with an async hook, to assign uncaught errors to
// tests. Code with many promises takes up to eight times as long with it (docs/adr/0020). Without it such an
// error ends the file, which then fails.
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const hook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()
