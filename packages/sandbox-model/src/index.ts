export { piecesOf, type OllamaMessage, type OllamaRequest } from './ollama-protocol.js'
export { answer, type Exchange, type Interceptor } from './ollama-reply.js'
export {
  startOllamaServer,
  type ClosedByClient,
  type LoggedRequest,
  type OllamaServer,
  type OllamaServerOptions
} from './ollama-server.js'
export { createSandboxResponder } from './sandbox-responder.js'
export { chooseContent, chooseSample, type Chosen, type Wanted } from './samples/choose-sample.js'
export { rankTopics } from './samples/choose-topic.js'
export { samplesOf, type Sample } from './samples/sample-files.js'
export { topics, type Kind, type Topic } from './samples/topics.js'
