import { EventEmitter } from 'node:events'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { FreshPages, type PageForm } from './fresh-pages.js'

const FORM: PageForm = { width: 800, height: 600, calm: false }

class FakePage extends EventEmitter {
  readonly adjusted: unknown[] = []
  setViewportSize(size: unknown): Promise<void> {
    this.adjusted.push(size)
    return Promise.resolve()
  }
  emulateMedia(media: unknown): Promise<void> {
    this.adjusted.push(media)
    return Promise.resolve()
  }
}

class FakeContext {
  closed = false
  readonly page = new FakePage()
  constructor(readonly options: unknown) {}
  newPage(): Promise<FakePage> {
    return Promise.resolve(this.page)
  }
  close(): Promise<void> {
    this.closed = true
    return Promise.resolve()
  }
}

/** A browser that only creates contexts; it fails to while `failing`. */
function fake() {
  const contexts: FakeContext[] = []
  const state = { failing: false }
  const newContext = (options: unknown): Promise<FakeContext> => {
    if (state.failing) return Promise.reject(new Error('gone'))
    const context = new FakeContext(options)
    contexts.push(context)
    return Promise.resolve(context)
  }
  const fresh = new FreshPages({ newContext } as unknown as Browser)
  const take = async (form = FORM): Promise<FakeContext> => (await fresh.take(form)).context as unknown as FakeContext
  return { fresh, take, contexts, state }
}

describe('browser: empty pages', () => {
  it('one is made ready before it is asked for, and given out once', async () => {
    const { fresh, take, contexts } = fake()
    fresh.prepare(FORM)
    fresh.prepare(FORM)
    expect(contexts.length).to.equal(1)
    const [one, two] = await Promise.all([take(), take()])
    expect([one === two, contexts.length, one?.page.adjusted]).to.deep.equal([false, 2, []])
  })

  it('its window and motion become those asked for', async () => {
    const { fresh, take } = fake()
    fresh.prepare(FORM)
    expect((await take({ width: 320, height: 200, calm: true })).page.adjusted).to.deep.equal([
      { width: 320, height: 200 },
      { reducedMotion: 'reduce' },
    ])
    fresh.prepare({ ...FORM, calm: true })
    expect((await take()).page.adjusted).to.deep.equal([{ reducedMotion: null }])
  })

  it('one that could not be made, or crashed while nobody had it, is made anew', async () => {
    const { fresh, take, contexts, state } = fake()
    state.failing = true
    fresh.prepare(FORM)
    await Promise.resolve()
    expect(await take().catch(String)).to.equal('Error: gone')
    state.failing = false
    fresh.prepare(FORM)
    await new Promise((resolve) => setImmediate(resolve))
    contexts[0]?.page.emit('crash')
    expect(contexts[0]?.closed).to.equal(true)
    expect(await take()).to.equal(contexts[1])
  })
})
