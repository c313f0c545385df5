import { expect } from 'chai'
import { Fault } from '../../../core/sdk/index.js'
import { settle } from '../../../test/support/unit.js'
import { inTurn } from './in-turn.js'

describe('pages that are recognised in turn', () => {
  /** Pages that are read, and a deadline that passes, on command. */
  function world(left = 60_000) {
    const reading = new Map<number, { done: () => void; fail: (error: Error) => void }>()
    let over: () => void = () => undefined
    const time = { left }
    const start = (wanted: number[]) =>
      inTurn(
        wanted,
        (page) => new Promise<string>((resolve, reject) => reading.set(page, { done: () => resolve(`text ${page}`), fail: reject })),
        {
          timeLeft: () => time.left,
          wait: () => new Promise<void>((resolve) => (over = resolve)),
          progress: () => undefined,
        },
      )
    const done = async (...pages: number[]) => {
      for (const page of pages) {
        reading.get(page)?.done()
        await settle(5)
      }
    }
    return { start, done, reading, time, over: () => over() }
  }
  const texts = (results: readonly { page: number; result: string | null }[]) =>
    results.map(({ page, result }) => `${page} ${result ?? '-'}`)

  it('are given in order, two at once', async () => {
    const { start, done, reading } = world()
    const work = start([1, 2, 3])
    expect([...reading.keys()]).to.deep.equal([1, 2])
    await done(2, 3, 1)
    expect(texts(await work)).to.deep.equal(['1 text 1', '2 text 2', '3 text 3'])
  })

  it('that are still being read when the time is over are left out, with those behind them', async () => {
    const { start, done, over } = world()
    const work = start([1, 2, 3, 4])
    await done(1)
    over()
    expect(texts(await work)).to.deep.equal(['1 text 1', '2 -', '3 -', '4 -'])
  })

  it('are waited for beyond it while none was read, and no further one is begun', async () => {
    const { start, done, over, reading } = world()
    const work = start([1, 2, 3])
    over()
    await settle(5)
    await done(2)
    expect(texts(await work)).to.deep.equal(['1 -', '2 text 2', '3 -'])
    expect([...reading.keys()]).to.deep.equal([1, 2])
  })

  it('are not begun with too little time, and one that cannot be read is passed over', async () => {
    const { start, done, reading, time } = world()
    const work = start([1, 2, 3])
    reading.get(1)?.fail(new Fault('invalid', 'The page is broken.'))
    time.left = 7_999
    await settle(5)
    await done(2)
    const results = await work
    expect(texts(results)).to.deep.equal(['1 -', '2 text 2', '3 -'])
    expect(results.map(({ fault }) => fault?.message ?? null)).to.deep.equal(['The page is broken.', null, null])
  })

  it('that fail otherwise end the whole', async () => {
    const { start, reading } = world()
    const work = start([1, 2])
    reading.get(1)?.fail(new Fault('broken', 'the sandbox could not start the program'))
    expect(await work.catch((error: unknown) => error)).to.include({ kind: 'broken' })
  })
})
