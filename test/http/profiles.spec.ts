import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { ADA, records, wikidataReply } from '../support/profile-vendors.js'

const PATH = '/v1/profiles/find'
const EMAIL = 'canary.person@canary-mail.example'
const PHONE = '+33 6 12 34 56 78'
const BY_NAME = { first_name: 'Ada', last_name: 'Lovelace', company: 'Acme' }

interface Profile {
  readonly [field: string]: unknown
  readonly experience: readonly Record<string, unknown>[]
}

describe('POST /v1/profiles/find', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  let vendors: Running
  let requests: string[]
  let answer: (name: string, request: IncomingMessage) => { status?: number; body: unknown }
  const log: string[] = []

  const start = async (env: Record<string, string> = {}): Promise<TestGateway> => {
    const address = (name: string) => ({
      [`CAPSTAN_VENDOR_${name.toUpperCase()}_URL`]: `${vendors.url}/${name}`,
      [`${name.toUpperCase()}_API_KEY`]: 'k',
    })
    return await startGateway({
      bundled: true,
      env: {
        ...address('peopledatalabs'),
        ...address('enrichlayer'),
        ...address('apollo'),
        CAPSTAN_VENDOR_WIKIDATA_URL: `${vendors.url}/wikidata`,
        CAPSTAN_PROFILES_AT_ONCE: '1',
        ...env,
      },
      overrides: { log: (...line) => void log.push(JSON.stringify(line)) },
    })
  }
  const find = async (body: unknown, at = gateway) => {
    const reply = await at.post(PATH, body)
    return {
      status: reply.status,
      text: reply.text,
      ...reply.json<{ data: Profile; metadata: { provider_used: string; notes: string[] }; detail: unknown }>(),
    }
  }

  before(async () => {
    vendors = await httpServer((request, response) => {
      const name = /^\/([a-z]+)/.exec(request.url ?? '')?.[1] ?? ''
      requests.push(name)
      const { status = 200, body } = answer(name, request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    requests = []
    gateway = await start()
  })
  beforeEach(() => {
    requests = []
    answer = (name, request) => ({ body: name === 'wikidata' ? wikidataReply(request.url ?? '') : records[name] })
  })
  after(async () => {
    await gateway?.close()
    await vendors?.close()
  })

  it('merges three vendors that disagree, field by field, and says which field is from whom', async () => {
    const { status, data, metadata } = await find({ linkedin_url: 'http://uk.linkedin.com/in/Ada-Lovelace/?trk=x' })
    expect(status).to.equal(200)
    expect(metadata.provider_used).to.equal('merged')
    expect(requests).to.deep.equal(['peopledatalabs', 'enrichlayer', 'apollo'])
    expect(data).to.deep.equal({
      first_name: 'Ada',
      last_name: 'Lovelace',
      full_name: 'Ada Lovelace',
      headline: 'Engines',
      company: 'Acme',
      title: 'Chief Technology Officer',
      location: 'Lyon, Auvergne-Rhone-Alpes, France',
      summary: 'Builds engines.',
      experience: [
        { company: 'Acme', title: 'Chief Technology Officer', start_date: '2021-04', end_date: null },
        { company: 'Beta', title: 'Engineer', start_date: '2015', end_date: '2021-03' },
        { company: 'Gamma', title: 'Intern', start_date: '2014-06', end_date: '2014-09' },
      ],
      education: [{ school: 'INSA', degree: 'Masters', field_of_study: 'Computer Science', start_date: '2010', end_date: '2015' }],
      skills: ['Rust', 'Analysis'],
      profile_image_url: 'https://img.test/b.jpg',
      linkedin_url: ADA,
    })
    expect(metadata.notes.join('\n'))
      .to.match(/From peopledatalabs: .*headline.*\./)
      .and.to.match(/From enrichlayer: .*summary/)
    expect(metadata.notes).to.include('title: peopledatalabs is taken, enrichlayer and apollo differ.')
    expect(metadata.notes).to.include('experience.title: peopledatalabs is taken, enrichlayer and apollo differ.')
    expect(metadata.notes.join()).to.not.match(/Acme|Beta|Lovelace/)
  })

  it('calls no further vendor once every field is filled, and gives no picture unless it is wanted', async () => {
    const { data } = await find({ linkedin_url: ADA, include_image: false })
    expect(requests).to.deep.equal(['peopledatalabs', 'enrichlayer'])
    expect(data['profile_image_url']).to.equal(null)
    expect((await find({ linkedin_url: ADA })).data['profile_image_url']).to.equal('https://img.test/b.jpg')
  })

  it('never mixes two people of one name', async () => {
    answer = (name) =>
      name === 'wikidata'
        ? { body: { search: [] } }
        : name === 'enrichlayer'
          ? { status: 404, body: {} }
          : { body: name === 'apollo' ? namesake() : records[name] }
    const { data, metadata } = await find(BY_NAME)
    expect(data).to.include({ company: 'Acme', linkedin_url: ADA })
    expect(data.experience.map(({ company }) => company)).to.not.include('Zenith')
    expect(metadata.notes.join('\n')).to.include('The records of apollo were left out')
  })

  it('N3 gives one man of a common name alone, though another lives in the same town', async () => {
    const town = { city: 'London', state: 'England', country: 'United Kingdom' }
    const other = { title: 'Cashier', organization_name: 'Other Bank', start_date: '2015-01-01', end_date: null, current: true }
    const study = { organization_name: 'Leeds Evening College', degree: 'Diploma', start_date: '2010-09-01', end_date: '2012-06-01' }
    const john = { first_name: 'John', last_name: 'Smith' }
    const own = {
      company: { name: 'Probe Works' },
      title: { name: 'Head of Design' },
      start_date: '2021-04',
      end_date: null,
      is_primary: true,
    }
    const place = 'London, England, United Kingdom'
    const bodies: Record<string, unknown> = {
      peopledatalabs: {
        status: 200,
        data: { ...john, full_name: 'John Smith', job_company_name: 'Probe Works', location_name: place, skills: [], experience: [own] },
      },
      apollo: {
        person: {
          ...{ id: 'ap1', ...john, ...town, name: 'John Smith', title: 'Cashier', photo_url: 'https://photos.example/other-john.jpg' },
          organization: { name: 'Other Bank', primary_domain: 'otherbank.example' },
          employment_history: [other, study],
        },
      },
    }
    answer = (name, request) =>
      name === 'wikidata' ? { body: wikidataReply(request.url ?? '') } : name in bodies ? { body: bodies[name] } : { status: 404, body: {} }
    const { status, data, metadata } = await find({ ...john, company: 'Probe Works', include_image: true })
    expect(status).to.equal(200)
    expect(data).to.deep.include({ company: 'Probe Works', title: 'Head of Design', profile_image_url: null, education: [] })
    expect(data.experience.map(({ company }) => company)).to.deep.equal(['Probe Works'])
    expect(metadata.notes).to.include('The records of apollo were left out: nothing shows that they are of the same person.')
  })

  it('answers from wikidata alone where no vendor has a key', async () => {
    const alone = await startGateway({ bundled: true, env: { CAPSTAN_VENDOR_WIKIDATA_URL: `${vendors.url}/wikidata` } })
    try {
      const { status, data, metadata } = await find(BY_NAME, alone)
      expect(status).to.equal(200)
      expect(metadata.provider_used).to.equal('wikidata')
      expect(data).to.include({
        first_name: 'Ada',
        last_name: 'Lovelace',
        full_name: 'Ada Lovelace',
        company: 'Acme',
        title: 'chief technology officer',
        location: 'Lyon',
        linkedin_url: ADA,
      })
      expect((await find({ ...BY_NAME, company: 'Zenith' }, alone)).status).to.equal(422)
    } finally {
      await alone.close()
    }
  })

  it('says no-result, for nothing, when no vendor has the person', async () => {
    answer = (name) => (name === 'wikidata' ? { body: { search: [], query: { search: [] } } } : { status: 404, body: {} })
    const before = (await gateway.money()).balance
    const { status, text } = await find(BY_NAME)
    expect(status).to.equal(422)
    expect(text).to.include('no-result')
    expect((await gateway.money()).balance).to.equal(before)
  })

  it('says that vendors failed, for nothing, when all of them did, and no-result as soon as one has no such person', async () => {
    const before = (await gateway.money()).balance
    answer = () => ({ status: 500, body: {} })
    const failed = await find(BY_NAME)
    expect(failed.status, failed.text).to.equal(502)
    expect(failed.text).to.include('providers-failed')
    answer = (name) => ({ status: name === 'enrichlayer' ? 404 : 500, body: {} })
    const nobody = await find(BY_NAME)
    expect(nobody.status, nobody.text).to.equal(422)
    expect(nobody.text).to.include('no-result')
    expect((await gateway.money()).balance).to.equal(before)
  })

  it('B3 an encyclopedia without an entry, and records of other people, do not outweigh vendors that failed', async () => {
    const own = await start()
    try {
      const before = (await own.money()).balance
      const none = { search: [], query: { search: [] } }
      const other = { person: { id: 'p2', name: 'Ada Byron', linkedin_url: 'http://www.linkedin.com/in/ada-byron' } }
      for (const apollo of [{ body: other }, { status: 429, body: {} }]) {
        answer = (name) => (name === 'wikidata' ? { body: none } : name === 'apollo' ? apollo : { status: 429, body: {} })
        const reply = await own.post(PATH, BY_NAME)
        expect(reply.status, reply.text).to.equal(502)
        expect(reply.json().error).to.include({ is_retriable: true })
      }
      expect((await own.money()).balance).to.equal(before)
    } finally {
      await own.close()
    }
  })

  it('T-37 keeps the name in an address out of the log when a vendor fails', async () => {
    const own = await start({ CORESIGNAL_API_KEY: 'k', CAPSTAN_VENDOR_CORESIGNAL_URL: `${vendors.url}/coresignal` })
    try {
      log.length = 0
      answer = (name, request) => {
        // Coresignal breaks the connection off.
        if (name === 'coresignal') request.destroy()
        return { status: 500, body: {} }
      }
      expect((await find({ linkedin_url: ADA }, own)).status).to.equal(502)
      expect(requests).to.include('coresignal')
      expect(log.join('\n'))
        .to.include('GET /coresignal/employee_multi_source/…')
        .and.not.match(/ada|lovelace/i)
    } finally {
      await own.close()
    }
  })

  const mistakes: [string, unknown, string, RegExp][] = [
    ['a first name alone', { first_name: 'Ada' }, 'last_name', /first_name, last_name and company/],
    ['the whole name in one field', { first_name: 'Ada Lovelace', company: 'Acme' }, 'last_name', /whole name/],
    ['no company', { first_name: 'Ada', last_name: 'Lovelace' }, 'company', /the company/],
    ['nothing at all', {}, 'linkedin_url', /or else first_name, last_name and company/],
    ['the page of a company', { linkedin_url: 'https://www.linkedin.com/company/acme' }, 'linkedin_url', /companies\.find/],
    ['a profile at another site', { linkedin_url: 'https://x.com/ada' }, 'linkedin_url', /linkedin\.com/],
    ['a host that resembles it', { linkedin_url: 'https://linkedin.com.evil.example/in/ada' }, 'linkedin_url', /linkedin\.com/],
    ['a user name in the address', { linkedin_url: 'https://www.linkedin.com@127.0.0.1/in/ada' }, 'linkedin_url', /user name/],
    ['a port', { linkedin_url: 'https://www.linkedin.com:8443/in/ada' }, 'linkedin_url', /port/],
    ['the name as one parameter', { name: 'Ada Lovelace', company: 'Acme' }, 'name', /./],
  ]
  for (const [name, body, field, message] of mistakes)
    it(`refuses ${name} with a helpful word at ${field}, and calls no vendor`, async () => {
      const { status, detail } = await find(body)
      expect(status).to.equal(422)
      const about = (detail as { loc: string[]; msg: string }[]).find(({ loc }) => loc.join('.') === `body.${field}`)
      expect(about?.msg).to.match(message)
      expect(requests).to.deep.equal([])
    })

  it('looks up no one who is on the list, calls no vendor for them, and never names them', async () => {
    const hash = createHash('sha256').update('grace hopper|acme').digest('hex')
    const listed = await start({ CAPSTAN_PROFILES_SUPPRESSED: `in/charles-babbage,sha256:${hash}` })
    try {
      log.length = 0
      requests = []
      const before = (await listed.money()).balance
      for (const body of [
        { linkedin_url: 'https://de.linkedin.com/in/Charles-Babbage/' },
        { first_name: 'GRACE', last_name: 'Hopper', company: 'Acme Inc.' },
      ]) {
        const { status, text } = await find(body, listed)
        expect(status).to.equal(422)
        expect(text).to.include('no-result')
      }
      expect(requests).to.deep.equal([])
      expect((await listed.money()).balance).to.equal(before)
      expect(log.join('\n')).to.not.match(/babbage|hopper|grace/i)
      answer = (name) => ({
        body: name === 'peopledatalabs' ? person('Charles Babbage', 'charles-babbage') : { search: [] },
        ...(name === 'enrichlayer' ? { status: 404 } : {}),
      })
      expect((await find({ first_name: 'Charles', last_name: 'Babbage', company: 'Acme' }, listed)).status).to.equal(422)
      expect(log.join('\n')).to.not.match(/babbage/i)
    } finally {
      await listed.close()
    }
  })

  it('keeps mail addresses and numbers that vendors send out of answers, logs, history and the store', async () => {
    log.length = 0
    const canary = { work_email: EMAIL, email: EMAIL, mobile_phone: PHONE, phone: PHONE }
    answer = (name) => {
      if (name === 'peopledatalabs') return { body: { ...person('Ada Lovelace', 'ada-lovelace'), ...canary } }
      if (name === 'apollo') return { body: { person: { ...namesake().person, ...canary } } }
      return { status: name === 'enrichlayer' ? 500 : 200, body: { error: { code: 'x', info: `${EMAIL} ${PHONE}` }, ...canary } }
    }
    const { status, text } = await find(BY_NAME)
    expect(status).to.equal(200)
    const seen = [text, log.join('\n'), (await gateway.get('/v1/calls')).text]
    for (const file of await readdir(gateway.folder, { recursive: true, withFileTypes: true }))
      if (file.isFile()) seen.push((await readFile(join(file.parentPath, file.name))).toString('latin1'))
    for (const place of seen) expect(place.includes(EMAIL) || place.includes(PHONE) || place.includes('12 34 56 78')).to.equal(false)
  })
})

function person(name: string, slug: string) {
  const job = { company: { name: 'Acme' }, title: { name: 'CTO' }, start_date: '2021', end_date: null, is_primary: true }
  return {
    status: 200,
    data: { full_name: name, job_company_name: 'Acme', job_title: 'CTO', linkedin_url: `linkedin.com/in/${slug}`, experience: [job] },
  }
}

/** Somebody else of the same name. */
function namesake() {
  const job = { organization_name: 'Zenith', title: 'Chef', start_date: '2019-01-01', end_date: null, current: true }
  return {
    person: {
      id: 'p2',
      name: 'Ada Lovelace',
      title: 'Chef',
      linkedin_url: null,
      organization: { name: 'Zenith' },
      employment_history: [job],
    },
  }
}
