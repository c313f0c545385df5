import { expect } from 'chai'
import { Fault, mapReply, runProvider, type HandlerContext, type ProviderContext } from '../../../core/sdk/index.js'
import { availability, prices, type Availability, type ExtensionPrice } from '../contract.js'
import { entriesOf } from '../modes/entries.js'
import { domainrAvailability } from '../providers/domainr.js'
import { godaddyPrices } from '../providers/godaddy-prices.js'
import { godaddyAvailability } from '../providers/godaddy.js'
import { namecheapPrices } from '../providers/namecheap-prices.js'
import { namecheapAvailability } from '../providers/namecheap.js'
import { porkbunPrices } from '../providers/porkbun.js'
import readNamecheap from '../work/namecheap.js'

const xml = (body: string): string => `<ApiResponse Status="OK"><Errors/><CommandResponse>${body}</CommandResponse></ApiResponse>`
const checked = (prices: string): string =>
  xml(`<DomainCheckResult Domain="a.com" Available="true" ErrorNo="0" IsPremiumName="true" ${prices}/>`)
const product = (price: string): string =>
  xml(
    `<UserGetPricingResult><ProductType><ProductCategory><Product Name="com"><Price Duration="1" DurationType="YEAR" ${price}/></Product></ProductCategory></ProductType></UserGetPricingResult>`,
  )

type Asked = Parameters<typeof runProvider>[0]
/** A provider's result for this answer of its vendor. */
async function given(asked: Asked, input: object, reply: unknown): Promise<unknown> {
  const context = {
    api: { json: () => Promise.resolve(reply), text: () => Promise.resolve(reply) },
    settings: { client_ip: '192.0.2.1' },
    signal: new AbortController().signal,
    log: () => undefined,
    work: (_module: URL, text: string) => Promise.resolve(readNamecheap(text)),
  }
  return asked.http === undefined ? await runProvider(asked, input, context as unknown as ProviderContext) : mapReply(asked, reply, input)
}

describe('domains: a registrar that names no price', () => {
  const godaddy = (more: object): object => ({ domains: [{ domain: 'a.com', available: true, definitive: true, ...more }] })
  const answers: Readonly<Record<string, readonly [Asked, readonly unknown[]]>> = {
    'of GoDaddy': [
      godaddyAvailability,
      [{}, { price: null, currency: null }, { price: null, currency: 'USD' }, { price: 0, currency: 'USD' }, { price: -1, currency: 'USD' },
       { price: 1.5, currency: 'USD' }, { price: 21_990_000 }, { price: 21_990_000, currency: '' }].map(godaddy),
    ],
    'of Namecheap, for a premium name': [
      namecheapAvailability,
      ['', 'PremiumRegistrationPrice=""', 'PremiumRegistrationPrice="0"', 'PremiumRegistrationPrice="0.00"', 'PremiumRegistrationPrice="NaN"',
       'PremiumRegistrationPrice="null"', 'PremiumRegistrationPrice="-1"', 'PremiumRegistrationPrice="1e9"'].map(checked),
    ],
    'of Domainr': [domainrAvailability, [{ status: 'undelegated inactive' }, { status: 'undelegated inactive', scope: null }]],
  } // prettier-ignore
  for (const [name, [asked, replies]] of Object.entries(answers))
    it(`V2 the answer ${name} stays: the domain is free, and its price null and neither 0 nor NaN`, async () => {
      for (const reply of replies) {
        const found = (await given(asked, { domains: ['a.com'] }, reply)) as { domains: Availability[] }
        expect(found.domains, JSON.stringify(reply)).to.have.length(1)
        expect(found.domains[0], JSON.stringify(reply)).to.include({ domain: 'a.com', status: 'available', verified: true, price: null })
      }
    })

  it('V2 no renewal is invented beside a price: what is no amount is null', async () => {
    for (const renewal of ['', 'PremiumRenewalPrice=""', 'PremiumRenewalPrice="0"', 'PremiumRenewalPrice="free"']) {
      const found = (await given(
        namecheapAvailability,
        { domains: ['a.com'] },
        checked(`PremiumRegistrationPrice="5200.00" ${renewal}`),
      )) as {
        domains: Availability[]
      }
      expect(found.domains[0]?.price, renewal).to.deep.equal({ registration: 5200, renewal: null, currency: 'USD' })
    }
  })

  it('V2 an extension without a price is in no list of prices, one without one of the two has null there', async () => {
    const listed = async (asked: Asked, reply: unknown): Promise<ExtensionPrice[]> =>
      ((await given(asked, { tlds: ['com'] }, reply)) as { prices: ExtensionPrice[] } | null)?.prices ?? []
    const porkbun = (row: object): object => ({ status: 'SUCCESS', pricing: { com: row } })
    for (const none of [null, '', '0', 0, 'NaN', '1,000', '-3'])
      expect(await listed(porkbunPrices, porkbun({ registration: none, renewal: none })), String(none)).to.deep.equal([])
    expect(await listed(porkbunPrices, porkbun({}))).to.deep.equal([])
    expect(await listed(porkbunPrices, porkbun({ registration: null, renewal: '11.08' }))).to.deep.equal([
      { tld: 'com', registration: null, renewal: 11.08, currency: 'USD' },
    ])
    for (const price of ['', 'Price="" Currency="USD"', 'Price="0" Currency="USD"', 'Price="NaN" Currency="USD"', 'Price="9.98"'])
      expect(await listed(namecheapPrices, product(price)), price).to.deep.equal([])
    for (const row of [{ price: null, currency: 'USD' }, { price: 0, currency: 'USD' }, {}, { price: 21_990_000, currency: null }])
      expect(
        await listed(godaddyPrices, { domains: [{ domain: 'qx7vk2zr9mtw4.com', available: true, ...row }] }),
        JSON.stringify(row),
      ).to.deep.equal([])
  })

  /** A call in which one vendor reports a.com as available, and the price vendor behaves as given. */
  async function checkedWith(priced: () => Promise<{ prices: ExtensionPrice[] }>): Promise<{ entry: object | undefined; notes: string[] }> {
    const notes: string[] = []
    const free: Availability = { domain: 'a.com', status: 'available', verified: true, premium: null, early_access: null, price: null }
    const context = {
      providers: (port: { id: string }) => [{ id: port.id === prices.id ? 'shop' : 'registrar', title: 'Shop', serves: () => true }],
      call: (port: { id: string }) => (port.id === availability.id ? Promise.resolve({ domains: [free] }) : priced()),
      aside: async (task: (side: unknown) => Promise<unknown>, { onFailure }: { onFailure: (fault: Fault) => void }) => {
        try {
          return await task(context)
        } catch (error) {
          if (!Fault.is(error)) throw error
          onFailure(error)
          return null
        }
      },
      cache: { get: (_key: unknown, _kept: unknown, load: (own: unknown) => Promise<unknown>) => load(context) },
      timeLeft: () => 20_000,
      signal: new AbortController().signal,
      note: (text: string) => notes.push(text),
    }
    const [entry] = await entriesOf([{ domain: 'a.com', name: 'a', tld: 'com', category: null }], context as unknown as HandlerContext)
    return { entry, notes }
  }
  const FREE = { domain: 'a.com', status: 'available', available: true, verified: true, price: null }

  it('V2 while the vendor of prices fails the domain is free all the same, its price null, and a note says why', async () => {
    for (const fault of [
      new Fault('busy', 'Shop asks for a pause', { retryAfterSeconds: 7 }),
      new Fault('broken', 'Shop answered in a form that was not understood.'),
      new Fault('credentials', 'Shop refuses the key'),
    ]) {
      const { entry, notes } = await checkedWith(() => Promise.reject(fault))
      expect(entry).to.include(FREE)
      expect(notes).to.deep.equal([`No price of com: ${fault.message.replace(/[.]$/, '')}.`])
    }
  })

  it('V2 an extension that a vendor does not sell has no price, and nothing failed', async () => {
    const { entry, notes } = await checkedWith(() => Promise.resolve({ prices: [] }))
    expect(entry).to.include(FREE)
    expect(notes).to.deep.equal([])
    expect((await checkedWith(() => Promise.reject(new Fault('missing', 'Nothing is sold.')))).notes).to.deep.equal([])
  })
})
