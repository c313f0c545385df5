import type { DnsServer } from '../../../core/sdk/testkit/dns-server.js'
import { zoneServer } from '../../../core/sdk/testkit/dns-zones.js'
import type { LineServer } from '../../../core/sdk/testkit/line-servers.js'
import { mailServer } from '../../../core/sdk/testkit/smtp-server.js'
import type { GatewayOptions } from '../gateway.js'
import { Gate } from './gate.js'
import { routes } from './routes.js'

/** Vendors behind the gate that want credentials, each with the variables of these. */
const VENDORS: Readonly<Record<string, readonly string[]>> = {
  piston: [],
  serper: ['SERPER_API_KEY'],
  zerobounce: ['ZEROBOUNCE_API_KEY'],
  hunter: ['HUNTER_API_KEY'],
  thecompaniesapi: ['THECOMPANIESAPI_API_KEY'],
  peopledatalabs: ['PEOPLEDATALABS_API_KEY'],
  domainr: ['FASTLY_API_TOKEN'],
  screenshotone: ['SCREENSHOTONE_ACCESS_KEY'],
  deepgram: ['DEEPGRAM_API_KEY'],
  elevenlabs: ['ELEVENLABS_API_KEY'],
  twilio: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
  cobalt: [],
}
/** Settings without which no message is sent, with caps that no test reaches. */
const MESSAGES: Readonly<Record<string, string>> = {
  CAPSTAN_MESSAGES_COUNTRIES: 'DE',
  CAPSTAN_MESSAGES_PER_NUMBER_PER_10_MINUTES: '1000000',
  CAPSTAN_MESSAGES_PER_NUMBER_PER_DAY: '1000000',
  CAPSTAN_MESSAGES_PER_PREFIX_PER_DAY: '1000000',
  CAPSTAN_MESSAGES_PER_ACCOUNT_PER_DAY: '1000000',
  CAPSTAN_MESSAGES_COUNTRY_FACTOR: '0',
  CAPSTAN_TWILIO_SENDERS: '+15005550102',
}
/** Orders in which every capability calls one server behind the gate, so that its mood decides over all of them. */
const ONE_EACH: Readonly<Record<string, string>> = {
  'code.execute': 'piston',
  'search.serp': 'serper',
  'emails.verify': 'zerobounce',
  'emails.find': 'hunter',
  'companies.firmographics': 'thecompaniesapi',
  'profiles.find': 'peopledatalabs',
  'domains.availability': 'domainr',
  'screenshots.capture': 'screenshotone',
  'documents.extract': 'openai-compatible',
  'files.convert': 'sharp',
  'images.generate': 'openai-compatible',
  'images.remove_background': 'flat',
  'speech.synthesize': 'deepgram',
  'speech.transcribe': 'deepgram',
  'audio.transcribe': 'deepgram',
  'subtitles.generate': 'deepgram',
  'sounds.generate': 'elevenlabs',
  'video.download': 'cobalt',
  'registration.find': 'rdap',
  'messages.sms': 'twilio',
}
/** How name servers fail: no answer at all, or one that says that they have no answer. */
export type NamesAway = 'silent' | 'servfail'
const SERVFAIL = 2
/** Nobody listens there: mail servers, and the WHOIS server, that this machine cannot reach. */
const CLOSED_PORT = '1'
/** Where a program of this machine would answer in place of every vendor. */
const VENDOR_ALONE = [
  'code.execute',
  'screenshots.capture',
  'speech.synthesize',
  'speech.transcribe',
  'audio.transcribe',
  'subtitles.generate',
  'sounds.generate',
  'video.download',
] as const
const ZONES = {
  'example.com': { MX: [{ preference: 10, exchange: 'mx.example.com' }] },
  'mx.example.com': { A: ['127.0.0.1'] },
  'acme.test': { A: ['127.0.0.1'] },
  'trap.test': { A: ['127.0.0.1'] },
  'metadata.test': { A: ['169.254.169.254'] },
}

/**
 * What the bundled capabilities need around them, on loopback: name and mail servers, a registry, a site, a model and one vendor for each that
 * has no source of its own. Gateways reach it by their settings alone.
 */
export class ShippedWorld {
  readonly gate: Gate
  readonly names: DnsServer
  readonly mail: LineServer

  readonly #state: { away: NamesAway | null }

  private constructor(gate: Gate, names: { server: DnsServer; state: { away: NamesAway | null } }, mail: LineServer) {
    this.gate = gate
    this.names = names.server
    this.#state = names.state
    this.mail = mail
  }

  /** `spared` are first parts of paths behind the gate that answer in every mood. */
  static async start(spared: readonly string[] = []): Promise<ShippedWorld> {
    let gate: Gate | null = null
    gate = await Gate.start(await routes(() => gate?.url ?? ''), spared)
    const names: { away: NamesAway | null } = { away: null }
    const server = await zoneServer(ZONES, {
      instead: () => (names.away === null ? undefined : names.away === 'silent' ? [] : { rcode: SERVFAIL }),
    })
    return new ShippedWorld(gate, { server, state: names }, await mailServer({ mailboxes: { 'first.last@example.com': 'exists' } }))
  }

  /** From now on the name servers fail so for every name, or answer again. */
  namesAre(away: NamesAway | null): void {
    this.#state.away = away
  }

  /**
   * The settings of a gateway in this world: with `gated` sources every capability calls one server behind the gate, with `free` ones there are no
   * vendor accounts, and a model and the open services are behind the gate; with `beside` each vendor comes before the local providers of this machine,
   * which reaches no mail and no WHOIS server. `secretOf` gives the credentials of vendors by their variables.
   */
  options(
    sources: 'gated' | 'free' | 'beside',
    secretOf: (name: string) => string = () => 'secret-of-the-test',
  ): GatewayOptions & { readonly bundled: true } {
    const env: Record<string, string> = {
      CAPSTAN_ALLOW_PRIVATE: `127.0.0.1:${String(this.gate.port)},127.0.0.1:${String(this.mail.port)},127.0.0.1:${CLOSED_PORT}`,
      CAPSTAN_DNS: this.names.address,
      CAPSTAN_SMTP_PORT: String(this.mail.port),
      CAPSTAN_RDAP_BOOTSTRAP: `${this.gate.url}/rdap/dns.json`,
      CAPSTAN_RDAP_PER_SECOND: '100',
      CAPSTAN_VENDOR_OPENAI_COMPATIBLE_URL: `${this.gate.url}/model`,
      CAPSTAN_VENDOR_WIKIPEDIA_URL: `${this.gate.url}/wikipedia`,
      CAPSTAN_VENDOR_WIKIDATA_URL: `${this.gate.url}/wikidata`,
      CAPSTAN_VENDOR_DUCKDUCKGO_URL: `${this.gate.url}/duckduckgo`,
      CAPSTAN_VENDOR_PORKBUN_URL: `${this.gate.url}/porkbun`,
      CAPSTAN_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      ...MESSAGES,
      CAPSTAN_LIMIT_ABORTS_PER_MINUTE: '1000000',
    }
    if (sources === 'free')
      return { bundled: true, env: { ...env, CAPSTAN_WATERFALL_MESSAGES_SMS: 'outbox', CAPSTAN_OUTBOX_FILE: '/dev/null' } }
    // The one registry, which is otherwise found by its list and queried at a pace of real time.
    env.CAPSTAN_VENDOR_RDAP_URL = `${this.gate.url}/rdap`
    env.CAPSTAN_LIMIT_KEY_CONCURRENCY = '1000'
    env.CAPSTAN_LIMIT_ACCOUNT_CONCURRENCY = '1000'
    for (const [vendor, secrets] of Object.entries(VENDORS)) {
      env[`CAPSTAN_VENDOR_${vendor.toUpperCase()}_URL`] = `${this.gate.url}/${vendor}`
      for (const name of secrets) env[name] = secretOf(name)
    }
    if (sources === 'beside') Object.assign(env, { CAPSTAN_SMTP_PORT: CLOSED_PORT, CAPSTAN_WHOIS: `127.0.0.1:${CLOSED_PORT}` })
    const wanted = Object.entries(ONE_EACH).filter(([port]) => sources === 'gated' || VENDOR_ALONE.some((each) => each === port))
    if (sources === 'beside') wanted.push(['domains.prices', 'porkbun'])
    const orders = wanted.map(([port, vendor]) => `  ${port}: [${vendor}]\n`)
    return { bundled: true, env, file: `waterfall:\n${orders.join('')}` }
  }

  async close(): Promise<void> {
    await Promise.all([this.gate.close(), this.names.close(), this.mail.close()])
  }
}
