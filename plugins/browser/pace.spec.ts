import { expect } from 'chai'
import sinon from 'sinon'
import { paceRenderers } from './pace.js'
import type { Renderer } from './usage.js'

describe('pace of pages that share a browser', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers()))
  afterEach(() => clock.restore())

  /** Two page processes; the first uses `part` of a processor while it is not stopped. */
  function pages(part: number) {
    const state = { crowded: true, stopped: false, gotMs: 0, asked: 0, signals: [] as string[], birth: '1' }
    let end: (value: unknown) => void = () => undefined
    const gone = new Promise((resolve) => (end = resolve))
    const renderers = (): Promise<Renderer[]> => {
      state.asked += 1
      return Promise.resolve([
        { pid: 10, birth: state.birth, gotMs: state.gotMs },
        { pid: 11, birth: '1', gotMs: 50 },
      ])
    }
    const done = paceRenderers({
      crowded: () => state.crowded,
      renderers,
      signal: ({ pid }, signal) => {
        state.signals.push(`${signal} ${pid}`)
        state.stopped = signal === 'SIGSTOP'
      },
      gone,
    })
    const run = async (ms: number): Promise<number> => {
      const before = state.gotMs
      for (let passed = 0; passed < ms; passed += 10) {
        if (!state.stopped) state.gotMs += 10 * part
        await clock.tickAsync(10)
      }
      return state.gotMs - before
    }
    return { state, run, end, done }
  }

  it('one that spins gets its first second, then a quarter, after five seconds a tenth of what it takes', async () => {
    const { run, state } = pages(1)
    expect(await run(1_000)).to.equal(1_000)
    expect(await run(8_000)).to.be.within(1_700, 2_700)
    await run(20_000)
    expect(state.gotMs).to.be.above(5_000)
    expect(await run(20_000)).to.be.within(1_600, 2_600)
    expect(new Set(state.signals.map((signal) => signal.split(' ')[1]))).to.deep.equal(new Set(['10']))
  })

  it('one that has used much but takes little now is left alone', async () => {
    const { run, state } = pages(0.3)
    await run(30_000)
    expect(state.signals).to.deep.equal([])
  })

  it('goes on as soon as the other pages are closed, and is then not even looked at', async () => {
    const { run, state } = pages(1)
    await run(1_500)
    expect(state.stopped).to.equal(true)
    state.crowded = false
    await run(300)
    expect(state.stopped).to.equal(false)
    const { asked } = state
    expect(await run(5_000)).to.equal(5_000)
    expect(state.asked).to.equal(asked)
  })

  it('another process of the same number begins anew', async () => {
    const { run, state } = pages(1)
    await run(1_500)
    state.birth = '2'
    state.gotMs = 0
    state.stopped = false
    const before = state.signals.length
    await run(900)
    expect(state.signals.slice(before)).to.deep.equal([])
  })

  it('ends with the browser', async () => {
    const { run, end, done } = pages(1)
    await run(500)
    end(null)
    await done
  })
})
