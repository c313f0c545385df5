import { expect } from 'chai'
import { Fault, runHandler, type FaultKind, type HandlerContext } from '../../core/sdk/index.js'
import { scrapeHandler } from './handler.js'

const PAGE = { content: 'x', title: null, description: null, links: [], screenshot_url: null }

/** Runs the handler with ports that return a page or fail as given; returns the called ports, and whether a picture was requested. */
async function run(
  mode: string,
  ports: Readonly<Record<string, Fault | FaultKind | 'page'>>,
): Promise<{ asked: string[]; outcome: unknown }> {
  const asked: string[] = []
  const context = {
    call: (port: { id: string }, input: { screenshot?: boolean; mode?: string }) => {
      asked.push(`${port.id}${input.screenshot === true ? ' with picture' : ''}${input.mode === undefined ? '' : ' with mode'}`)
      const found = ports[port.id] ?? 'page'
      if (found === 'page') return Promise.resolve(PAGE)
      return Promise.reject(typeof found === 'string' ? new Fault(found, found) : found)
    },
    progress: () => undefined,
    log: () => undefined,
  } as unknown as HandlerContext
  const input = { url: 'https://a.example/', mode, output: 'markdown', wait_for: null, timeout: 30 }
  const outcome = await runHandler(scrapeHandler, input, context).catch((error: unknown) => (Fault.is(error) ? error.kind : error))
  return { asked, outcome }
}

describe('scrape: modes', () => {
  it('fast asks for a fetch alone', async () => expect(await run('fast', {})).to.deep.equal({ asked: ['scrape.fetch'], outcome: PAGE }))
  it('standard asks for a browser alone', async () =>
    expect(await run('standard', {})).to.deep.equal({ asked: ['scrape.render'], outcome: PAGE }))
  it('standard does not escalate', async () =>
    expect(await run('standard', { 'scrape.render': 'blocked' })).to.deep.equal({ asked: ['scrape.render'], outcome: 'blocked' }))
  it('thorough starts with a browser and a picture', async () =>
    expect(await run('thorough', {})).to.deep.equal({ asked: ['scrape.render with picture'], outcome: PAGE }))
  it('thorough escalates when the page refuses', async () =>
    expect(await run('thorough', { 'scrape.render': 'blocked' })).to.deep.equal({
      asked: ['scrape.render with picture', 'scrape.stealth with picture'],
      outcome: PAGE,
    }))
  it('thorough escalates when a page shows nothing, which another browser may see', async () =>
    expect(await run('thorough', { 'scrape.render': 'missing' })).to.deep.equal({
      asked: ['scrape.render with picture', 'scrape.stealth with picture'],
      outcome: PAGE,
    }))
  it('thorough does not ask again for a page that does not exist', async () =>
    expect(await run('thorough', { 'scrape.render': new Fault('missing', '404', { final: true }) })).to.deep.equal({
      asked: ['scrape.render with picture'],
      outcome: 'missing',
    }))
  for (const kind of ['busy', 'quota', 'credentials', 'broken', 'invalid'] as const) {
    it(`thorough says what the ordinary browser found when stealth is ${kind}`, async () => {
      const { outcome } = await run('thorough', { 'scrape.render': 'blocked', 'scrape.stealth': kind })
      expect(outcome).to.equal('blocked')
    })
  }
  for (const kind of ['busy', 'invalid', 'broken'] as const) {
    it(`thorough does not escalate what is ${kind}`, async () =>
      expect(await run('thorough', { 'scrape.render': kind })).to.deep.equal({ asked: ['scrape.render with picture'], outcome: kind }))
  }
})
