import { parentPort } from 'node:worker_threads'
import { startGcsServer } from '@filewright/testing'

/**
 * A fresh server for each message, in a thread of its own, so that the memory servers hold is not counted as
 * the driver's.
 */
parentPort?.on('message', () => {
  void startGcsServer().then(({ endpoint, bucket }) => {
    parentPort?.postMessage({ endpoint, bucket })
  })
})
