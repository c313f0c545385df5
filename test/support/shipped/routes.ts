import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import sharp from 'sharp'
import { bytesOf, readFixture, type FixtureCase } from '../../../scripts/capstan/kit/conformance/fixture.js'
import { packageRoot } from '../../../core/runtime/root.js'
import { rdapDomain } from '../../../core/sdk/testkit/rdap-server.js'
import type { Answer, Route } from './gate.js'

const PAGE =
  '<!doctype html><title>Kettles</title><main><h1>Red kettles</h1><p>Ten red kettles for small cafés, of steel and of copper.</p></main>'

/** One result, as DuckDuckGo shows it. */
const resultsPage = (url: string): string =>
  `<!doctype html><title>red kettle at DuckDuckGo</title><div id="links" class="results"><div class="result results_links web-result"><h2 class="result__title"><a rel="nofollow" class="result__a" href="${url}">Red kettles</a></h2><a class="result__snippet" href="${url}">Ten red kettles for small cafés.</a></div></div>`

const fixtureFile = (plugin: string, name: string): string => join(packageRoot(), 'plugins', plugin, 'fixtures', `${name}.json`)

/** The first case of a fixture of a bundled plugin. */
async function firstCase(plugin: string, name: string): Promise<FixtureCase> {
  const [first] = (await readFixture(fixtureFile(plugin, name))).cases
  if (first === undefined) throw new Error(`the fixture ${name} has no case`)
  return first
}

/** Answers what a vendor answered in the first case of its fixture, with `other` in the place of `said` in the reply. */
async function vendorRoute(plugin: string, name: string, changed: (request: Parameters<Route>[0]) => [string, string] = () => ['', '']) {
  const reply = (await firstCase(plugin, name)).exchanges?.[0]?.reply
  if (reply === undefined) throw new Error(`the fixture ${name} has no reply`)
  const { status = 200, headers = {}, json } = reply
  const type = headers['content-type'] ?? 'application/json'
  return (request: Parameters<Route>[0]): Answer => {
    const [said, other] = changed(request)
    const body = json === undefined ? bytesOf(reply) : JSON.stringify(json)
    return { status, type, body: said === '' || typeof body !== 'string' ? body : body.replaceAll(said, other) }
  }
}

/** Answers every request of these fixtures as it is answered there: by its path and query. */
async function recordedRoute(...fixtures: readonly (readonly [plugin: string, name: string])[]): Promise<Route> {
  const read = fixtures.map(async ([plugin, name]) => (await readFixture(fixtureFile(plugin, name))).cases)
  const exchanges = (await Promise.all(read)).flat().flatMap((each) => each.exchanges ?? [])
  return ({ path, query }) => {
    const sent = JSON.stringify([...query].toSorted())
    const known = exchanges.find(({ request }) => {
      const wanted = Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)])
      return request.path === path && JSON.stringify(wanted.toSorted()) === sent
    })
    return known === undefined ? null : { status: known.reply.status ?? 200, body: JSON.stringify(known.reply.json ?? {}) }
  }
}

/** The files of the site. */
async function siteRoute(film: Buffer): Promise<Route> {
  const picture = await sharp({ create: { width: 32, height: 24, channels: 3, background: '#c00' } })
    .png()
    .toBuffer()
  const subject = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#fff' } })
    .composite([
      {
        input: await sharp({ create: { width: 24, height: 24, channels: 3, background: '#c00' } })
          .png()
          .toBuffer(),
      },
    ])
    .png()
    .toBuffer()
  const invoice = bytesOf((await firstCase('invoices', 'e-invoice.invoices.parse')).scratch?.[0] ?? {})
  const files: Readonly<Record<string, Answer>> = {
    page: { type: 'text/html; charset=utf-8', body: PAGE },
    'picture.png': { type: 'image/png', body: picture },
    'subject.png': { type: 'image/png', body: subject },
    'talk.wav': { type: 'audio/wav', body: talk() },
    'film.mp4': { type: 'video/mp4', body: film },
    'invoice.xml': { type: 'application/xml', body: invoice },
  }
  return ({ path, query }) => {
    const name = path.split('/').at(-1) ?? ''
    const to = query.get('to') ?? ''
    if (name === 'redirect') return { status: 302, location: to, body: '' }
    if (name === 'frame') return { type: 'text/html', body: framed(to) }
    return Object.hasOwn(files, name) ? (files[name] ?? null) : null
  }
}

/** A sentence that FFmpeg speaks; empty where it is missing, and so are the programs that would recognise it. */
function talk(): Buffer {
  const source = "flite=text='Good day. The red kettle is on the table.':voice=slt"
  return spawnSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-f', 'wav', '-']).stdout ?? Buffer.alloc(0)
}

/** A second of pictures and sound; empty where FFmpeg is missing. */
function shortFilm(): Buffer {
  const sources = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=5:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
  const written = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4', '-']
  return spawnSync('ffmpeg', ['-v', 'error', ...sources, ...written]).stdout ?? Buffer.alloc(0)
}

/** A page that leads whoever opens it elsewhere, in every way that a page can. */
function framed(to: string): string {
  const links = `<link rel="icon" href="${to}"><link rel="stylesheet" href="${to}"><meta property="og:image" content="${to}">`
  return `<!doctype html><title>Frame</title>${links}<p>Words.</p><img src="${to}"><iframe src="${to}"></iframe><script>fetch('${to}')</script>`
}

/** A model server that finds one thing in every document, and makes one picture. */
async function modelRoute(): Promise<Route> {
  const picture = await vendorRoute('images', 'openai-compatible.images.generate')
  const content = JSON.stringify({ number: 'R-17' })
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 }
  const answer = { body: JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }) }
  return (request) => (request.path.startsWith('/images/') ? picture(request) : answer)
}

/** Deepgram: speech at /speak, transcripts elsewhere. */
async function deepgramRoute(): Promise<Route> {
  const [speech, transcript] = [
    await vendorRoute('speech', 'deepgram.speech.synthesize'),
    await vendorRoute('transcription', 'deepgram.audio.transcribe'),
  ]
  return (request) => (request.path.endsWith('/speak') ? speech(request) : transcript(request))
}

/** IANA's list, which names this server for every TLD of the tests, and the records of every domain. */
function rdapRoute(base: () => string): Route {
  return ({ path }) => {
    if (path === '/dns.json') {
      const services = [[['test', 'example', 'com'], [`${base()}/rdap/`]]]
      return { body: JSON.stringify({ version: '1.0', publication: '2026-01-02T03:04:05Z', services }) }
    }
    const [, name] = /^\/domain\/([^/]+)$/.exec(path) ?? []
    if (name === undefined) return null
    const events = [{ eventAction: 'registration', eventDate: '2009-01-02T03:04:05Z' }]
    return { type: 'application/rdap+json', body: JSON.stringify(rdapDomain(name, { events }).json) }
  }
}

/** The servers behind the gate: vendors as their fixtures answered, a model, a registry and a site. `base` is the gate's own address. */
export async function routes(base: () => string): Promise<Readonly<Record<string, Route>>> {
  const film = shortFilm()
  return {
    site: await siteRoute(film),
    // A site of its own, so that an outage may be that of the site while the pages above are there.
    films: () => ({ type: 'video/mp4', body: film }),
    model: await modelRoute(),
    rdap: rdapRoute(base),
    wikipedia: await recordedRoute(['search', 'wikipedia.search.serp']),
    duckduckgo: () => ({ type: 'text/html; charset=utf-8', body: resultsPage(`${base()}/site/0/page`) }),
    wikidata: await recordedRoute(
      ['profiles', 'wikidata.profiles.find'],
      ['companies', 'wikidata.companies.firmographics'],
      ['wikidata', 'wikidata.wikidata.website'],
    ),
    piston: await vendorRoute('code', 'piston.code.execute'),
    serper: await vendorRoute('search', 'serper.search.serp'),
    zerobounce: await vendorRoute('emails', 'zerobounce.emails.verify', ({ query }) => [
      'first.last@example.com',
      query.get('email') ?? '',
    ]),
    hunter: await vendorRoute('emails', 'hunter.emails.find', ({ query }) => ['first.last@', `${query.get('first_name') ?? ''}.last@`]),
    thecompaniesapi: await vendorRoute('companies', 'thecompaniesapi.companies.firmographics', ({ path }) => [
      'acme.test',
      path.split('/').at(-1) ?? '',
    ]),
    peopledatalabs: await vendorRoute('profiles', 'peopledatalabs.profiles.find'),
    domainr: await vendorRoute('domains', 'domainr.domains.availability', ({ query }) => ['free.shop', query.get('domain') ?? '']),
    porkbun: await vendorRoute('domains', 'porkbun.domains.prices'),
    deepgram: await deepgramRoute(),
    elevenlabs: await vendorRoute('sounds', 'elevenlabs.sounds.generate'),
    twilio: await vendorRoute('messages', 'twilio.messages.sms'),
    // Its tunnels lead to the instance itself.
    cobalt: ({ path }) => {
      if (path === '/tunnel') return { type: 'video/mp4', body: film }
      return { body: JSON.stringify({ status: 'tunnel', url: `${base()}/cobalt/tunnel?id=1`, filename: 'A film (360p, h264).mp4' }) }
    },
    screenshotone: await vendorRoute('screenshots', 'screenshotone.screenshots.capture'),
  }
}
