import { expect } from 'chai'
import { FAULT_KINDS } from '../../../core/sdk/index.js'
import { Metrics } from '../../../core/telemetry/metrics.js'
import { parseTraceparent, telemetryWith } from '../../../core/telemetry/telemetry.js'
import { httpServer } from '../../../core/sdk/testkit/servers.js'

const queues = {
  deliveries: () => ({ size: 4, dropped: 1 }),
  reversals: () => ({ size: 5, dropped: 2 }),
  refunds: () => ({ size: 6 }),
}
const gauges = {
  callsInFlight: () => 3,
  suspended: () => 2,
  loopDelayMs: () => 1.5,
  accountsAside: () => 7,
  logBytes: () => 8,
  disks: () => [{ part: 'files' as const, folder: '/files', full: true, free: 10, detail: '' }],
  faults: { logLinesDropped: () => 9, unownedErrors: () => ({ exception: 1, rejection: 2 }) },
}
const sources = { ...gauges, ...queues, redisShared: null }
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

describe('metrics', () => {
  it('count requests, credits and tries, and read the gauges on collection', async () => {
    const metrics = new Metrics(sources)
    metrics.request({ method: 'POST', route: '/v1/test', status: 200, seconds: 0.2, slug: '', credits: 2 })
    metrics.request({ method: 'POST', route: '/v1/test', status: 402, seconds: 0.2, slug: 'insufficient-credits', credits: 0 })
    metrics.attempt({ port: 'test.echo', provider: 'one', outcome: 'ok', ms: 250 })
    metrics.attempt({ port: 'test.echo', provider: 'two', outcome: 'skipped', ms: 0 })
    const text = await metrics.registry.metrics()
    expect(text).to.contain('capstan_requests_total{method="POST",route="/v1/test",status="402",slug="insufficient-credits"} 1')
    expect(text).to.contain('capstan_credits_total{route="/v1/test"} 2')
    expect(text).to.contain('capstan_attempts_total{port="test.echo",provider="two",outcome="skipped"} 1')
    expect(text).to.contain('capstan_attempt_seconds_sum{port="test.echo",provider="one"} 0.25')
    expect(text).not.to.contain('capstan_attempt_seconds_count{port="test.echo",provider="two"}')
    for (const line of [
      'capstan_calls_in_flight 3',
      'capstan_providers_suspended 2',
      'capstan_event_loop_p99_ms 1.5',
      'capstan_disk_full{part="files"} 1',
      'capstan_disk_free_bytes{part="files"} 10',
    ])
      expect(text).to.contain(line)
  })

  it('say of every queue how much waits and how much was dropped, and what went wrong in the process, each time as it is', async () => {
    const metrics = new Metrics(sources)
    for (let round = 0; round < 2; round++) {
      const lines = (await metrics.registry.metrics()).split('\n')
      expect(lines).to.include.members([
        'capstan_deliveries_waiting 4',
        'capstan_deliveries_dropped_total 1',
        'capstan_reversals_waiting 5',
        'capstan_reversals_dropped_total 2',
        'capstan_refunds_waiting 6',
        'capstan_accounts_set_aside 7',
        'capstan_ledger_log_bytes 8',
        'capstan_log_lines_dropped_total 9',
        'capstan_unowned_errors_total{origin="exception"} 1',
        'capstan_unowned_errors_total{origin="rejection"} 2',
      ])
      expect(lines.some((line) => line.startsWith('capstan_refunds_dropped'))).to.equal(false)
    }
  })

  it('leave out what the library would wake the process a hundred times a second for', async () => {
    const text = await new Metrics(sources).registry.metrics()
    expect(text.match(/^nodejs_eventloop_lag_\w+/gm)).to.deep.equal(['nodejs_eventloop_lag_seconds'])
  })

  it('T-73 have no more series however many methods callers invent', async () => {
    const metrics = new Metrics(sources)
    const series = async (): Promise<number> =>
      (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('capstan_requests_total{')).length
    for (let count = 0; count < 200; count++)
      metrics.request({ method: `INVENTED${count}`, route: 'none', status: 404, seconds: 0, slug: 'not-found', credits: 0 })
    expect(await series()).to.equal(1)
    for (const outcome of [...FAULT_KINDS, 'ok', 'skipped'] as const) metrics.attempt({ port: 'p', provider: 'v', outcome, ms: 1 })
    expect((await metrics.registry.metrics()).match(/^capstan_attempts_total\{/gm)).to.have.length(9)
  })
})

describe('traces', () => {
  it('continue a well-formed traceparent and nothing else', () => {
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-01`)).to.deep.equal({ traceId: TRACE, spanId: PARENT, traceFlags: 1 })
    expect(parseTraceparent(`00-${TRACE}-${PARENT}-fe`)?.traceFlags).to.equal(0)
    for (const bad of [
      undefined,
      '',
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-01-x`,
      `00-${TRACE}-${PARENT}-01\n`,
      `00-${TRACE}x-${PARENT}-01`,
    ])
      expect(parseTraceparent(bad), String(bad)).to.equal(null)
  })

  it('do nothing without an endpoint', async () => {
    const telemetry = (await telemetryWith(null))(new Metrics(sources))
    telemetry.span('x', undefined).end({}, false)
    telemetry.attempt({ port: 'p', provider: 'v', outcome: 'ok', ms: 1 })
    const { contentType, text } = await telemetry.metrics()
    expect(contentType).to.contain('text/plain')
    expect(text).to.contain('capstan_attempts_total{port="p",provider="v",outcome="ok"} 1')
    await telemetry.close()
  })

  it('reach an OTLP collector with name, attributes, failure and parent', async () => {
    const bodies: string[] = []
    const paths: string[] = []
    const collector = await httpServer((request, response) => {
      const chunks: Buffer[] = []
      paths.push(request.url ?? '')
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString())
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })
    })
    const telemetry = (await telemetryWith(`${collector.url}/`))(new Metrics(sources))
    telemetry.span('POST /v1/test', `00-${TRACE}-${PARENT}-01`).end({ status: 502, route: '/v1/test' }, true)
    telemetry.span('unsampled', `00-${TRACE}-${PARENT}-00`).end({}, false)
    await telemetry.close()
    await collector.close()
    expect(paths).to.deep.equal(['/v1/traces'])
    const sent = JSON.parse(bodies[0] ?? '{}') as {
      resourceSpans: {
        scopeSpans: {
          spans: {
            name: string
            traceId: string
            parentSpanId: string
            status: { code: number }
            attributes: { key: string; value: unknown }[]
          }[]
        }[]
      }[]
    }
    const spans = sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    expect(spans).to.have.length(1)
    expect(spans[0]).to.deep.include({ name: 'POST /v1/test', traceId: TRACE, parentSpanId: PARENT })
    expect(spans[0]?.status.code).to.equal(2)
    expect(spans[0]?.attributes).to.deep.include({ key: 'status', value: { intValue: 502 } })
    expect(bodies[0]).to.contain('"capstan"')
  })
})
