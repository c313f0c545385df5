import { expect } from 'chai'
import { type Described, describe as described } from '../../../core/http/discovery/described.js'
import { bundledFolder } from '../../../core/loader/load.js'
import type { Registry } from '../../../core/loader/types.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { join } from 'node:path'
import { Finder } from '../../../scripts/capstan/mcp/find.js'
import { load } from '../../support/loader.js'
import { sentencesOf } from '../../support/playground.js'

/** A short request of an agent, and the capability that it means. */
const QUERIES: readonly (readonly [query: string, id: string])[] = [
  ['remove background', 'images.remove_background'],
  ['background removal from a product photo', 'images.remove_background'],
  ['docx to pdf', 'files.convert'],
  ['convert file', 'files.convert'],
  ['file conversion', 'files.convert'],
  ['transcribe', 'speech.transcribe'],
  ['transcription with speakers', 'audio.transcribe'],
  ['who speaks in this recording', 'audio.transcribe'],
  ['text to speech', 'speech.synthesize'],
  ['read a text aloud', 'speech.synthesize'],
  ['send sms', 'messages.send'],
  ['whatsapp message', 'messages.send'],
  ['verify email address', 'emails.verify'],
  ['is this mailbox deliverable', 'emails.verify'],
  ['find somebody’s email', 'emails.find'],
  ['web search', 'search'],
  ['latest news about a topic', 'search'],
  ['scrape a web page as markdown', 'scrape'],
  ['screenshot of a website', 'screenshots.capture'],
  ['run python code', 'code.execute'],
  ['sandbox', 'code.execute'],
  ['whois and dns of a domain', 'sites.intel'],
  ['technology stack of a website', 'sites.intel'],
  ['suggest domain names', 'domains'],
  ['invoice total', 'invoices.parse'],
  ['fields of a document', 'documents.extract'],
  ['company data', 'companies.find'],
  ['linkedin profile', 'profiles.find'],
  ['subtitles for a video', 'subtitles.generate'],
  ['download a video', 'video.download'],
  ['length and title of a youtube video', 'video.info'],
  ['picture of a cat', 'images.generate'],
  ['background music', 'sounds.generate'],
  ['sound effect', 'sounds.generate'],
  ['deep research report with sources', 'research'],
]

describe('find_capability', function () {
  this.timeout(60_000)
  let registry: Registry
  let capabilities: readonly Described[]
  let finder: Finder
  before(async () => {
    registry = await load({ firstParty: bundledFolder(), sourceFolder: join(packageRoot(), 'plugins') })
    capabilities = described(registry)
    finder = new Finder(capabilities)
  })
  after(async () => await registry.dispose())

  const ids = (query: string, offered = capabilities): string[] => finder.find(query, offered).map(({ id }) => id)

  for (const [query, id] of QUERIES)
    it(`finds ${id} among the first three for "${query}"`, () => {
      expect(ids(query).slice(0, 3)).to.include(id)
    })

  it('finds most of them first', () => {
    expect(QUERIES.filter(([query, id]) => ids(query)[0] === id).length).to.be.at.least(QUERIES.length - 6)
  })

  it('finds what whole sentences mean among the first five, and mostly as the first', () => {
    const meant = (['first', 'second', 'third', 'fourth', 'fifth'] as const)
      .flatMap((name) => sentencesOf(name, registry.capabilities))
      .flatMap(({ say, capability }) => (capability === null ? [] : [{ say, capability }]))
    const places = meant.map(({ say, capability }) => ids(say).indexOf(capability))
    expect(meant.length).to.be.above(300)
    const share = (holds: (place: number) => boolean): number => places.filter(holds).length / places.length
    expect(
      share((place) => place >= 0),
      'among five',
    ).to.be.at.least(0.95)
    expect(
      share((place) => place === 0),
      'first',
    ).to.be.at.least(0.75)
  })

  it('an id, the name of a tool or an alias finds that capability alone', () => {
    for (const { id, tool, aliases } of capabilities)
      for (const name of [id, tool, ...aliases]) expect(ids(` ${name} `)).to.deep.equal([id])
  })

  it('a mistyped name is found, and only what is offered', () => {
    expect(ids('screenshto')[0]).to.equal('screenshots.capture')
    expect(ids('subtitels')[0]).to.equal('subtitles.generate')
    const others = capabilities.filter(({ id }) => id !== 'screenshots.capture')
    expect(ids('screenshot of a website', others)).not.to.include('screenshots.capture')
    expect(ids('screenshots.capture', others)).not.to.include('screenshots.capture')
  })

  it('what fits nothing finds nothing, and an odd query neither fails nor takes long', () => {
    for (const query of ['', '   ', 'zzqx', '\0\0', '))((', '🦊', '__proto__ constructor'])
      expect(ids(query).length, query).to.be.at.most(5)
    expect(ids('zzqx')).to.deep.equal([])
    const began = process.cpuUsage()
    for (let round = 0; round < 100; round++) ids(`zq${round}xyzw `.repeat(20).slice(0, 200))
    expect(process.cpuUsage(began).user / 1_000 / 100, 'milliseconds of the processor a query').to.be.below(20)
  })
})
