import { expect } from 'chai'
import sinon from 'sinon'
import type { Member } from './member.js'
import { SharedBrowsers, type SharedSettings } from './shared-browsers.js'

/** The members of a browser that the pool uses to share it. */
class FakeMember {
  uses = 0
  active = 0
  alive = true
  retired = false
  ended = false
  readonly since = performance.now()
  constructor(readonly slot: number) {}
  end(): Promise<void> {
    this.ended = true
    return Promise.resolve()
  }
}

describe('browsers that callers share', () => {
  let clock: sinon.SinonFakeTimers
  beforeEach(() => (clock = sinon.useFakeTimers()))
  afterEach(() => clock.restore())

  function shared(settings: Partial<SharedSettings> = {}) {
    const opened: FakeMember[] = []
    const failing = { now: false, soon: false }
    const open = (slot: number): Promise<Member> => {
      if (failing.now) return Promise.reject(new Error('no browser'))
      const member = new FakeMember(slot)
      member.alive = !failing.soon
      opened.push(member)
      return Promise.resolve(member as unknown as Member)
    }
    const all = new SharedBrowsers(open, { browsers: 2, uses: 50, lifetimeMs: 600_000, idleMs: 60_000, ...settings })
    const page = async (account: string): Promise<{ slot: number; leave: () => void }> => {
      const { member, leave } = await all.take(account)
      return { slot: (member as unknown as FakeMember).slot, leave }
    }
    return { page, opened, failing }
  }

  it('all pages of one account are opened in one, also when it is the only account', async () => {
    const { page, opened } = shared()
    const pages = await Promise.all([page('a'), page('a'), page('a')])
    expect([pages.map(({ slot }) => slot), opened.length]).to.deep.equal([[0, 0, 0], 1])
  })

  it('pages of different accounts are opened in different ones while there are enough, then beside the fewest', async () => {
    const { page } = shared()
    const a = [await page('a'), await page('a')]
    const b = await page('b')
    expect([...a, b].map(({ slot }) => slot)).to.deep.equal([0, 0, 1])
    expect((await page('c')).slot).to.equal(1)
    expect((await page('a')).slot).to.equal(0)
  })

  it('while several accounts come, one is kept ready for the next; a minute after the other came last, none', async () => {
    const { page, opened } = shared({ browsers: 3, idleMs: 10_000 })
    const b = await page('b')
    b.leave()
    const a = await page('a')
    expect(opened.map(({ slot }) => slot)).to.deep.equal([0, 1, 2])
    const c = await page('c')
    expect([c.slot, opened.length]).to.deep.equal([2, 3])
    a.leave()
    c.leave()
    await clock.tickAsync(70_000)
    expect(opened.map(({ ended }) => ended)).to.deep.equal([true, true, true])
    const late = shared()
    ;(await late.page('b')).leave()
    await clock.tickAsync(60_000)
    await late.page('a')
    expect(late.opened.filter(({ ended }) => !ended)).to.have.lengthOf(1)
  })

  it('an account that comes back within a minute finds its browser again, although another one came meanwhile', async () => {
    const { page, opened } = shared()
    ;(await page('a')).leave()
    const b = await page('b')
    expect([b.slot, (await page('a')).slot, opened.length]).to.deep.equal([1, 0, 2])
  })

  it('when there are no more browsers, a new account gets an idle one of another account', async () => {
    const { page, opened } = shared()
    await page('a')
    ;(await page('b')).leave()
    expect([(await page('c')).slot, opened.length]).to.deep.equal([1, 2])
  })

  it('one that is worn, old or gone is replaced, in the same slot, and ends with its last page', async () => {
    const { page, opened } = shared({ uses: 2 })
    await page('a')
    const [first] = opened
    if (first === undefined) throw new Error('none was opened')
    first.uses = 2
    first.active = 1
    expect((await page('a')).slot).to.equal(0)
    expect([opened.length, first.retired, first.ended]).to.deep.equal([2, true, false])
    const [, second] = opened
    if (second !== undefined) second.alive = false
    await page('a')
    expect([opened.length, second?.ended]).to.deep.equal([3, true])
    await clock.tickAsync(600_000)
    await page('a')
    expect(opened.length).to.equal(4)
  })

  it('browsers that end as soon as they are started are started four times, not for ever', async () => {
    const { page, opened, failing } = shared()
    failing.soon = true
    expect(await page('a').catch(String)).to.equal('Fault: the browser ends as soon as it is started')
    expect(opened.length).to.equal(4)
  })

  it('a failed start is reported to the waiting page, and the next page starts one', async () => {
    const { page, failing, opened } = shared()
    failing.now = true
    expect(await page('a').catch(String)).to.equal('Error: no browser')
    failing.now = false
    await page('a')
    expect(opened.length).to.equal(1)
  })
})
