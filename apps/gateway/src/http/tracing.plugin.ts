import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { RequestTrace, Tracing } from '@filewright/telemetry'

/** One span per request. All work for the request happens inside it. */
export const tracingPlugin = fp(
  async function requestTracing(
    app: FastifyInstance,
    { tracing, trustCaller }: { tracing: Tracing; trustCaller: boolean }
  ) {
    const traces = new WeakMap<FastifyRequest, RequestTrace>()
    app.addHook('onRequest', (request, _reply, done) => {
      // Any client can send a traceparent. Only a trusted proxy's is used.
      const span = tracing.request(trustCaller ? request.headers : {})
      traces.set(request, span)
      span.within(done)
    })
    app.addHook('preHandler', (request, _reply, done) => {
      ;(traces.get(request)?.within ?? ((next: () => void) => next()))(done)
    })
    app.addHook('onResponse', async (request, reply) => {
      traces
        .get(request)
        ?.end({ method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode })
    })
  },
  { name: 'tracing' }
)
