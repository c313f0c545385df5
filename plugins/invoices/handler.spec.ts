import { expect } from 'chai'
import { Fault, runHandler, type HandlerContext, type ScratchFile } from '../../core/sdk/index.js'
import { emptyRecord } from './empty-record.js'
import { invoicesHandler } from './handler.js'
import type { InvoiceRecord } from './record.js'

const line = { description: 'x', quantity: 2, unit_price: 50, adjustment: null, total_amount: 100, tax_rate: 20 }
const good = { ...emptyRecord(), invoice_number: '7', currency: 'EUR', subtotal: 100, total_tax: 20, total_amount: 120, line_items: [line] }
const bad = { ...good, total_amount: 720 }

type Says = InvoiceRecord | Fault | 'hangs' | null
interface Outcome {
  asked: string[]
  notes: string[]
  input: Record<string, unknown>
  data?: { total_amount: number | null; supplier_name: string | null }
  fault?: { kind: string; message: string; loc: readonly (string | number)[] | undefined }
}

/** Runs the handler on a file of a kind with simulated vendors. */
async function run(
  vendors: Readonly<Record<string, Says>>,
  { kind = 'image/png', read = {}, takes = true, most = 2, models = [] as string[], blind = false } = {},
): Promise<Outcome> {
  const outcome: Outcome = { asked: [], notes: [], input: {} }
  const file: ScratchFile = { id: '1'.repeat(32), size: 9 }
  const call = (port: { id: string }, input: Record<string, unknown>, { only = '' } = {}): Promise<unknown> => {
    if (port.id === 'document.read') return Promise.resolve({ pages: 1, attachments: [], needs_ocr: false, positions: [], ...read })
    outcome.input = input
    outcome.asked.push(only)
    const reply = vendors[only] ?? new Fault('missing', 'the vendor has nothing for this request')
    if (reply === 'hangs') return new Promise(() => undefined)
    return Fault.is(reply) ? Promise.reject(reply) : Promise.resolve(reply)
  }
  const context = {
    call,
    has: () => true,
    work: () => Promise.resolve(1),
    scratch: {
      fetch: () => Promise.resolve(file),
      kind: () => Promise.resolve(kind === '' ? null : { contentType: kind, extension: 'x' }),
      head: () => Promise.resolve(Buffer.alloc(0)),
    },
    settings: { paid_tries: most },
    providers: (port: { id: string }) =>
      (port.id === 'llm.chat' ? models : Object.keys(vendors)).map((id, order) => ({
        id,
        title: id,
        order,
        serves: () => (port.id === 'llm.chat' ? !blind : takes),
      })),
    aside: async (task: (side: unknown) => Promise<unknown>, { onFailure }: { onFailure: (fault: Fault) => void }) => {
      const late = new Promise((_resolve, reject) =>
        setImmediate(() => setImmediate(() => reject(new Fault('busy', 'No result in time.')))),
      )
      return await Promise.race([task(context), late]).catch((error: unknown) => {
        if (!Fault.is(error)) throw error
        onFailure(error)
        return null
      })
    },
    timeLeft: () => 90_000,
    progress: () => undefined,
    note: (remark: string) => void outcome.notes.push(remark),
  } as unknown as HandlerContext
  try {
    outcome.data = (await runHandler(invoicesHandler, { document_url: 'https://a.example/x' }, context)) as NonNullable<Outcome['data']>
  } catch (error) {
    if (!Fault.is(error)) throw error
    outcome.fault = { kind: error.kind, message: error.message, loc: error.loc }
  }
  return outcome
}

describe('invoices: who is asked, and what is given', () => {
  it('the first whose amounts add up ends the search', async () => {
    const { asked, data, notes } = await run({ one: good, two: good })
    expect(asked).to.deep.equal(['one'])
    expect(data).to.deep.equal({
      invoice_number: '7',
      date: null,
      due_date: null,
      supplier_name: null,
      supplier_address: null,
      customer_name: null,
      currency: 'EUR',
      subtotal: 100,
      total_tax: 20,
      total_amount: 120,
      line_items: [{ description: 'x', quantity: 2, unit_price: 50, total_amount: 100, tax_rate: 20 }],
    })
    expect(notes).to.deep.equal([])
  })

  it('what does not add up makes the next one asked, and a remark says whose answer it is', async () => {
    const { asked, data, notes } = await run({ one: bad, two: good })
    expect(asked).to.deep.equal(['one', 'two'])
    expect(data?.total_amount).to.equal(120)
    expect(notes).to.deep.equal(['The answer is that of two, whose amounts fit best of one, two.'])
  })

  it('B3 a vendor that failed outweighs those here that found nothing, and answers without amounts', async () => {
    const unread = new Fault('missing', 'no print', { inconclusive: true })
    const nothing = { ...emptyRecord(), supplier_name: 'Acme' }
    for (const kind of ['busy', 'quota', 'credentials', 'broken'] as const)
      for (const layout of [unread, nothing])
        expect((await run({ one: new Fault(kind, 'out'), layout })).fault, kind).to.include({ kind, message: 'out' })
    expect((await run({ one: 'hangs', layout: unread })).fault?.kind).to.equal('busy')
    expect((await run({ one: new Fault('missing', 'read it'), layout: unread })).fault?.message).to.equal('read it')
  })

  it('newcomer 4 what a reader on this machine lacks is said, and not that it took too long', async () => {
    const lack = new Fault('missing', 'No provider of ocr.read is live. tesseract: install tesseract-ocr.', { unavailable: true })
    expect((await run({ layout: lack })).fault).to.include({ kind: 'missing', message: lack.message })
    expect((await run({ layout: lack, one: new Fault('busy', 'later') })).fault?.kind, 'a service that may answer later').to.equal('busy')
  })

  it('when none adds up the best is given without what contradicts, and remarks say which', async () => {
    const worse = { ...bad, supplier_name: 'Worse', line_items: [{ ...line, quantity: 3 }] }
    const { data, notes } = await run({ one: worse, two: { ...bad, supplier_name: 'Better' } })
    expect(data).to.deep.include({ total_amount: null, supplier_name: 'Better' })
    expect(notes[0]).to.match(/^The amounts do not add up: .* total_amount is left out\.$/)
  })

  it('one that adds up is given before one that holds more rules and fails another', async () => {
    const plain = { ...emptyRecord(), subtotal: 50, total_tax: 10, total_amount: 60 }
    const taxes = [{ rate: 20, base: 100, amount: 20 }]
    const rich = { ...good, taxes, prepaid: 20, amount_due: 100, line_items: [{ ...line, quantity: 3 }] }
    expect((await run({ one: rich, two: plain })).data?.total_amount).to.equal(60)
    expect((await run({ one: bad, two: { ...bad, supplier_name: 'Data', exact: true } })).data?.supplier_name).to.equal('Data')
  })

  it('where nothing adds up only so many that take money are asked, then those that take none', async () => {
    const vendors = { one: bad, two: bad, three: good, four: good, layout: bad }
    const { asked, data, notes } = await run(vendors)
    expect(asked).to.deep.equal(['one', 'two', 'layout'])
    expect(data).to.deep.include({ total_amount: null })
    expect(notes).to.include('2 further services were not asked: at most 2 read one invoice here.')
    expect((await run(vendors, { most: 1 })).asked).to.deep.equal(['one', 'layout'])
    expect((await run(vendors, { most: 3 })).asked).to.deep.equal(['one', 'two', 'three'])
    const ended = await run({ ...vendors, layout: good })
    expect(ended.asked).to.deep.equal(['one', 'two', 'layout'])
    expect(ended.notes.join()).not.to.contain('further services')
  })

  it('a service that found nothing, or took too long, has read it; one that is out of order, or refused us, has not', async () => {
    expect((await run({ one: null, two: 'hangs', three: good, layout: good })).asked).to.deep.equal(['one', 'two', 'layout'])
    const failed = (kind: Fault['kind']): Fault => new Fault(kind, 'no')
    const vendors = {
      ...{ busy: failed('busy'), quota: failed('quota'), credentials: failed('credentials'), broken: failed('broken') },
      last: good,
    }
    expect((await run(vendors)).asked).to.deep.equal(['busy', 'quota', 'credentials', 'broken', 'last'])
  })

  it('a model that takes no pictures reads nothing', async () => {
    const vendors = { text: new Fault('missing', 'takes no pictures'), one: bad, two: good }
    expect((await run(vendors, { models: ['text'], blind: true })).asked).to.deep.equal(['text', 'one', 'two'])
    expect((await run(vendors, { models: ['text'] })).asked).to.deep.equal(['text', 'one'])
  })

  it('data of the sender is taken even when it does not add up', async () => {
    expect((await run({ one: { ...bad, exact: true }, two: good })).asked).to.deep.equal(['one'])
  })

  it('one that fails, has nothing or hangs is passed over', async () => {
    const { asked, data } = await run({ one: new Fault('broken', 'no'), two: null, three: 'hangs', four: good }, { most: 3 })
    expect(asked).to.deep.equal(['one', 'two', 'three', 'four'])
    expect(data?.total_amount).to.equal(120)
  })

  it('of very many lines and very long texts a part is given, and a remark says so', async () => {
    const many = {
      ...good,
      prices_include_tax: false,
      supplier_name: 'x'.repeat(9_000),
      line_items: Array.from({ length: 2_001 }, () => ({ ...line, total_amount: 0.05, unit_price: 0.025 })),
    }
    const { data, notes } = await run({ one: { ...many, subtotal: 100.05, total_tax: 20.01, total_amount: 120.06 } })
    expect(data?.supplier_name).to.have.lengthOf(2_000)
    expect(data).to.have.property('line_items').with.lengthOf(2_000)
    expect(notes).to.deep.equal(['Of 2001 line items the first 2000 are given.'])
  })

  it('very many contradictions are counted', async () => {
    const lines = Array.from({ length: 30 }, () => ({ ...line, quantity: 9 }))
    const { notes } = await run({ one: { ...good, line_items: lines } })
    expect(notes).to.have.lengthOf(21)
    expect(notes.at(-1)).to.equal('11 further fields contradict others and are left out.')
  })

  it('V1 a subtotal that a vendor does not state follows from total and tax, with what stands between them', async () => {
    const without = { ...good, subtotal: null }
    const cases: readonly (readonly [InvoiceRecord, number | null])[] = [
      [without, 100],
      [{ ...without, line_items: [] }, 100],
      [{ ...without, total_amount: 130, rounding: 10 }, 100],
      [{ ...without, document_type: 'credit_note' }, -100],
      [{ ...without, total_tax: null }, null],
    ]
    for (const [record, subtotal] of cases) expect((await run({ one: record })).data, JSON.stringify(record)).to.include({ subtotal })
  })

  it('a name and a date alone are no result', async () => {
    const { fault } = await run({ one: { ...emptyRecord(), supplier_name: 'Acme', date: '2026-01-31' } })
    expect(fault).to.deep.include({ kind: 'missing' })
  })

  it('a file that is refused by ourselves ends the call, about the field; what a vendor refuses does not', async () => {
    const ours = await run({ one: new Fault('invalid', 'The file is encrypted.'), two: good })
    expect(ours).to.deep.include({ asked: ['one'], fault: { kind: 'invalid', message: 'The file is encrypted.', loc: ['document_url'] } })
    expect((await run({ one: new Fault('invalid', 'no', { status: 422 }), two: good })).asked).to.deep.equal(['one', 'two'])
  })

  it('of several failures the most informative one is reported', async () => {
    const { fault } = await run({
      one: new Fault('broken', 'out of order'),
      two: new Fault('missing', 'Nothing readable.'),
      three: 'hangs',
    })
    expect(fault).to.deep.include({ kind: 'missing', message: 'Nothing readable.' })
    expect((await run({ one: 'hangs' })).fault).to.deep.include({ kind: 'busy' })
  })

  it('with nobody who takes it the port itself says what is missing', async () => {
    expect((await run({ one: good }, { takes: false })).asked).to.deep.equal([''])
  })

  it('a web page, another kind of file and nothing known are refused with what is taken', async () => {
    const page = await run({ one: good }, { kind: 'text/html' })
    expect(page.fault?.message).to.match(/^The address is a web page.* PDF, pictures/)
    expect(page.fault?.loc).to.deep.equal(['document_url'])
    expect((await run({ one: good }, { kind: 'application/zip' })).fault?.message).to.match(/^The file is application\/zip\..*PDF/)
    expect((await run({ one: good }, { kind: '' })).fault?.message).to.match(/^The file is of no known kind/)
    expect(page.asked).to.deep.equal([])
  })

  it('vendors are given the words and the XML of a PDF, which is read once', async () => {
    const words = [{ page: 1, width: 1, height: 1, words: [] }]
    const xml = { id: '2'.repeat(32), size: 5 }
    const attachments = [
      { name: 'factur-x.XML', content_type: null, size: 5, file: xml },
      { name: 'terms.pdf', content_type: 'application/pdf', size: 5, file: { id: '3'.repeat(32), size: 5 } },
      { name: 'large.xml', content_type: 'text/xml', size: 50_000_000, file: null },
    ]
    const { input } = await run({ one: good }, { kind: 'application/pdf', read: { positions: words, attachments } })
    expect(input).to.deep.include({ kind: 'pdf', xml: [xml], pages: 1, positions: words })
    expect((await run({ one: good }, { kind: 'application/pdf', read: { needs_ocr: true } })).input).to.deep.include({ positions: null })
  })

  it('a PDF of more than 200 pages is refused before anybody is asked', async () => {
    const { asked, fault } = await run({ one: good }, { kind: 'application/pdf', read: { pages: 10_000 } })
    expect(fault?.message).to.equal('The PDF has 10000 pages, more than the 200 that an invoice may have.')
    expect(asked).to.deep.equal([])
  })
})
