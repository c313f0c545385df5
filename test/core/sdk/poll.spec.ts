import { expect } from 'chai'
import type { Progress } from '../../../core/dispatch/call.js'
import { Stopped } from '../../../core/problems/errors.js'
import type { PortResult } from '../../../core/dispatch/port-request.js'
import { Fault } from '../../../core/sdk/index.js'
import { PollingVendor, type JobReply } from '../../../core/sdk/testkit/polling-vendor.js'
import { DONE, FAILED, jobProvider, RUNNING, WaitedClock } from '../../support/job-vendor.js'
import { scriptedRegistry } from '../../support/test-plugin.js'
import { bench, errorOf, outcomes, saying } from '../../support/unit.js'

const LIMIT_MS = 60_000
const busy = (status: number, seconds?: number): JobReply => ({
  status,
  ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
})
const waitingFor = (wait: number): JobReply => ({ json: { status: 'running', percent: 50, text: '', wait } })

describe('poll', () => {
  const closing: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  /** A call whose only provider, or first of two, makes a job at a vendor with these replies. */
  async function begun(replies: readonly JobReply[], about: { timeoutMs?: number; second?: boolean; limitMs?: number } = {}) {
    const vendor = await PollingVendor.start(...replies)
    const clock = new WaitedClock()
    const next = scriptedRegistry({ 'test.echo': [{ vendor: 'next', run: saying('from the next') }] }).ports.get('test.echo')
    const job = jobProvider(vendor.url, about)
    const kit = bench({ more: [job, ...(about.second === true ? (next?.providers ?? []) : [])] }, { clock })
    closing.push(kit.close, () => vendor.close())
    const call = kit.call(about.limitMs ?? LIMIT_MS)
    const steps: Progress[] = []
    call.onProgress = (step) => void steps.push(step)
    const answer = kit.ask(call)
    answer.catch(() => undefined)
    /** All requests to the vendor, once no more will follow. */
    const requests = async (): Promise<readonly string[]> => {
      await kit.environment.cleanUps.close()
      return vendor.methods
    }
    return { vendor, clock, kit, call, steps, answer, requests }
  }
  const textOf = async (answer: Promise<PortResult>): Promise<unknown> => (await answer).data
  const kindOf = async (answer: Promise<PortResult>): Promise<string> => {
    const error = await errorOf(answer)
    return Fault.is(error) ? error.kind : error instanceof Stopped ? `stopped: ${error.reason}` : String(error)
  }

  it('waits for nothing when the job is done at the first request', async () => {
    const { answer, requests, clock } = await begun([DONE])
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
    expect(clock.monotonic()).to.equal(0)
    expect(await requests()).to.deep.equal(['POST', 'GET'])
  })

  it('requests less and less often, reports each new state once, and cancels nothing that is done', async () => {
    const half: JobReply = { json: { status: 'running', percent: 50, text: '' } }
    const { answer, requests, clock, steps } = await begun([RUNNING, RUNNING, half, DONE])
    for (const ms of [1_000, 1_500, 2_250]) await clock.pass(ms)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
    expect(steps.map(({ step, done, total }) => [step, done, total])).to.deep.equal([
      ['converting', 0, 100],
      ['converting', 50, 100],
    ])
    expect(await requests()).to.deep.equal(['POST', 'GET', 'GET', 'GET', 'GET'])
  })

  it('never waits longer than the longest wait', async () => {
    const { answer, clock } = await begun([...Array.from({ length: 8 }, () => RUNNING), DONE])
    for (const ms of [1_000, 1_500, 2_250, 3_375, 5_062.5, 7_593.75, 10_000, 10_000]) await clock.pass(ms)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
  })

  it('waits as long as the vendor says, and makes no further request without the time for it', async () => {
    const { answer, clock } = await begun([waitingFor(7_000), DONE])
    await clock.pass(7_000)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
    const late = await begun([waitingFor(LIMIT_MS)])
    expect(await kindOf(late.answer)).to.equal('busy')
    await late.vendor.came('DELETE')
    expect(late.kit.suspensions.list()).to.deep.equal([])
  })

  it('ends with the Fault of a failed job, which is not cancelled', async () => {
    const { answer, requests } = await begun([FAILED])
    const error = await errorOf(answer)
    expect(Fault.is(error) && [error.kind, error.message]).to.deep.equal(['invalid', 'The vendor said: the file is broken.'])
    expect(await requests()).to.deep.equal(['POST', 'GET'])
  })

  it('takes the refusal of an input by a failed job for the word of that vendor alone', async () => {
    const { answer, call } = await begun([FAILED], { second: true })
    expect(await textOf(answer)).to.deep.equal({ text: 'from the next' })
    expect(outcomes(call.attempts)).to.deep.equal(['jobs invalid', 'next ok'])
  })

  for (const status of [404, 410])
    it(`is broken when the vendor forgets the job (${String(status)}), which is not cancelled`, async () => {
      const { answer, requests, clock } = await begun([RUNNING, busy(status)])
      await clock.pass(1_000)
      expect(await kindOf(answer)).to.equal('broken')
      expect(await requests()).to.deep.equal(['POST', 'GET', 'GET'])
    })

  it('waits out a vendor that is busy, as long as it says', async () => {
    const { answer, clock } = await begun([busy(429, 20), busy(503), busy(429), busy(503), busy(429), DONE])
    for (const ms of [20_000, 1_500, 2_250, 3_375, 5_062.5]) await clock.pass(ms)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
  })

  it('calls the next provider at once when the vendor is busy for longer than there is time, and cancels the job', async () => {
    const { answer, vendor, clock, call, kit } = await begun([busy(429, 600)], { second: true })
    expect(await textOf(answer)).to.deep.equal({ text: 'from the next' })
    expect(outcomes(call.attempts)).to.deep.equal(['jobs busy', 'next ok'])
    expect(clock.monotonic()).to.equal(0)
    expect(kit.suspensions.list().map(({ id }) => id)).to.deep.equal(['test.echo/jobs'])
    await vendor.came('DELETE')
  })

  it('sends a failing vendor three more requests, and counts from zero after a successful one', async () => {
    const { answer, clock } = await begun([busy(500), busy(502), busy(500), RUNNING, busy(500), DONE])
    for (const ms of [1_000, 1_500, 2_250, 3_375, 5_062.5]) await clock.pass(ms)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the job' })
    const down = await begun([busy(500)])
    for (const ms of [1_000, 1_500, 2_250]) await down.clock.pass(ms)
    expect(await kindOf(down.answer)).to.equal('broken')
    await down.vendor.came('DELETE')
  })

  it('fails at once for what time does not heal', async () => {
    for (const [status, kind] of [
      [401, 'credentials'],
      [402, 'quota'],
    ] as const) {
      const { answer, vendor } = await begun([busy(status)])
      expect(await kindOf(answer)).to.equal(kind)
      await vendor.came('DELETE')
    }
  })

  it('cancels the job at the deadline, after a last request before it', async () => {
    const { answer, vendor, clock } = await begun([RUNNING], { limitMs: 2_000 })
    await clock.pass(1_000)
    await clock.pass(500)
    await vendor.came('GET', 3)
    await clock.pass(2_250)
    expect(await kindOf(answer)).to.equal('stopped: deadline')
    await vendor.came('DELETE')
  })

  it('cancels the job when its own time is over, and the next provider is called', async () => {
    const { answer, vendor, clock, call } = await begun([RUNNING], { timeoutMs: 900, second: true })
    await clock.pass(400)
    await clock.pass(1_500)
    expect(await textOf(answer)).to.deep.equal({ text: 'from the next' })
    expect(outcomes(call.attempts)).to.deep.equal(['jobs busy', 'next ok'])
    await vendor.came('DELETE')
  })

  it('cancels the job when the caller leaves, once', async () => {
    const { answer, vendor, call, kit } = await begun([RUNNING])
    await vendor.came('GET')
    call.cancel.cancel('client-gone')
    expect(await kindOf(answer)).to.equal('stopped: client-gone')
    await vendor.came('DELETE')
    await kit.environment.cleanUps.close()
    expect(vendor.methods.filter((each) => each === 'DELETE')).to.have.length(1)
  })

  it('cancels the job when the gateway stops, which waits for that, and not for a vendor that hangs', async () => {
    const { vendor, call, kit } = await begun([RUNNING])
    await vendor.came('GET')
    call.cancel.cancel('shutdown')
    await kit.environment.cleanUps.close()
    expect(vendor.methods).to.include('DELETE')
    const hung = await begun([RUNNING])
    hung.vendor.hangs = true
    await hung.vendor.came('GET')
    hung.call.cancel.cancel('shutdown')
    await hung.vendor.came('DELETE')
    const closed = hung.kit.environment.cleanUps.close()
    await hung.clock.pass(3_000)
    await closed
    expect(hung.kit.logs.map(({ message }) => message)).to.include('clean-up of a call failed')
  })

  it('gives the cancelling five seconds', async () => {
    const { vendor, call, kit, clock } = await begun([RUNNING])
    vendor.hangs = true
    await vendor.came('GET')
    call.cancel.cancel('client-gone')
    await vendor.came('DELETE')
    await clock.pass(5_000)
    await kit.environment.cleanUps.close()
    const line = kit.logs.find(({ message }) => message === 'clean-up of a call failed')
    expect(line?.fields).to.include({
      request_id: 'req_1',
      provider: 'jobs',
      port: 'test.echo',
      error: 'Stopped: the call was stopped: deadline',
    })
  })
})
