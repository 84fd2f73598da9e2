// Loaded before a test file. tap follows every promise with an async hook, to tell which test an error that
// nobody caught belongs to. Code that makes many promises takes up to eight times as long under it
// (docs/adr/0020). Without it such an error ends the file, which then has failed.
import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const hook = { enable: () => hook, disable: () => hook }
asyncHooks.createHook = () => hook
syncBuiltinESMExports()
