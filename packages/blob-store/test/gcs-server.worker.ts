import { parentPort } from 'node:worker_threads'
import { startGcsServer } from '@filewright/testing'

/** A new server for each message, in its own thread, so that its memory is not counted as the driver's. */
parentPort?.on('message', () => {
  void startGcsServer().then(({ endpoint, bucket }) => {
    parentPort?.postMessage({ endpoint, bucket })
  })
})
