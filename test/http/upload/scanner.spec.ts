import { expect } from 'chai'
import fc from 'fast-check'
import { MultipartScanner } from '../../../core/http/upload/scanner.js'
import { Problem } from '../../../core/problems/problem.js'
import { cpuOf } from '../../support/time.js'
import { form, part, BOUNDARY, END } from '../../support/upload.js'

interface Seen {
  readonly name: string
  readonly filename: string | null
  readonly content: string
  readonly pieces: number
}

/** What a scanner makes of a body that comes in these pieces. */
function scan(pieces: readonly Buffer[], boundary = BOUNDARY): Seen[] {
  const seen: (Seen & { chunks: Buffer[] })[] = []
  const scanner = new MultipartScanner(boundary, ({ name, filename }) => {
    const chunks: Buffer[] = []
    return {
      write: (bytes) => void chunks.push(Buffer.from(bytes)),
      end: () => void seen.push({ name, filename, chunks, content: Buffer.concat(chunks).toString('latin1'), pieces: chunks.length }),
    }
  })
  for (const piece of pieces) scanner.write(piece)
  scanner.end()
  return seen.map(({ name, filename, content, pieces: count }) => ({ name, filename, content, pieces: count }))
}

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return `${error.slug}: ${error.message}`
    throw error
  }
  throw new Error('it was taken')
}

/** Content with much of what a boundary is made of. */
const tricky = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '-',
      '--',
      `--${BOUNDARY}`,
      `\r\n--${BOUNDARY}`,
      `\r\n--${BOUNDARY}-`,
      `\r\n--${BOUNDARY.slice(0, 8)}`,
      'x',
      '\0',
    ),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !new RegExp(`\r\n--${BOUNDARY}(?:\r\n|--)`).test(`\r\n${text}\r\n`))

describe('multipart bodies', () => {
  it('any content comes out as it was put in, in whatever pieces the body comes', () => {
    fc.assert(
      fc.property(
        fc.array(tricky, { minLength: 1, maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1 }),
        (contents, sizes) => {
          const body = form(...contents.map((content, index) => part(Buffer.from(content, 'latin1'), { name: `f${index}` })))
          const pieces: Buffer[] = []
          for (let at = 0, turn = 0; at < body.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1
            pieces.push(body.subarray(at, at + size))
            at += size
          }
          expect(scan(pieces).map(({ name, content }) => [name, content])).to.deep.equal(
            contents.map((content, index) => [`f${index}`, content]),
          )
        },
      ),
    )
  })

  for (const [what, unit] of [
    ['carriage returns', '\r'],
    ['line ends', '\r\n'],
    ['beginnings of the boundary', `\r\n--${BOUNDARY.slice(0, -1)}`],
    ['boundaries that go on', `\r\n--${BOUNDARY}x`],
  ] as const)
    it(`content of ${what} goes on in few pieces, not in one for each`, () => {
      const content = unit.repeat(Math.ceil(65_536 / unit.length))
      const [seen] = scan([form(part(content))])
      expect(seen?.content).to.equal(content)
      expect(seen?.pieces).to.be.at.most(3)
    })

  it('a piece that ends where a boundary may begin makes no copy of the next', () => {
    const chunk = Buffer.alloc(65_536, '\r')
    const written: Buffer[] = []
    const scanner = new MultipartScanner(BOUNDARY, () => ({ write: (bytes) => void written.push(bytes), end: () => undefined }))
    scanner.write(form(part('')).subarray(0, -END.length - 2))
    for (let piece = 0; piece < 3; piece++) scanner.write(chunk)
    expect(written.filter(({ length }) => length > 1).map(({ buffer, length }) => [buffer === chunk.buffer, length])).to.deep.equal(
      Array.from({ length: 3 }, () => [true, chunk.length - 1]),
    )
  })

  it('an empty file, and a form without parts', () => {
    expect(scan([form(part(''))])).to.deep.equal([{ name: 'file', filename: 'a.bin', content: '', pieces: 0 }])
    expect(scan([form()])).to.deep.equal([])
  })

  it('what surrounds the parts is skipped, up to 4 KiB', () => {
    const body = form(part('abc'))
    expect(scan([Buffer.from('a preamble\r\n'), body, Buffer.alloc(4_000)])).to.have.lengthOf(1)
    expect(refusal(() => scan([Buffer.alloc(5_000), body]))).to.match(/before its first boundary/)
    expect(refusal(() => scan([body, Buffer.alloc(5_000)]))).to.match(/after its last boundary/)
  })

  const names: readonly (readonly [string, string, string | null])[] = [
    ['form-data; name=file; filename=a.txt', 'a name without quotes', 'a.txt'],
    ['form-data; name="file"; filename="a;b=c.txt"', 'separators within quotes', 'a;b=c.txt'],
    ['form-data; name="file"; filename="a%22b%0D%0Ac.txt"', 'escapes of browsers', 'a"b\r\nc.txt'],
    ['form-data; name="file"; filename="100%.txt"', 'a percent sign that is none', '100%.txt'],
    ['form-data; name="file"; filename="a\\"b.txt"', 'an escaped quote', 'a"b.txt'],
    ['form-data; name="file"; filename="C:\\dir\\a.txt"', 'a path of Windows', 'C:\\dir\\a.txt'],
    ['form-data; name="file"; filename="x"; filename*=UTF-8\'\'%E2%82%AC.txt', 'the extended form', '€.txt'],
    ['form-data; name="file"; filename="x"; filename*=UTF-8\'\'%ZZ', 'an extended form that cannot be read', 'x'],
    ['form-data; name="file"; FILENAME="a.txt";', 'another case, and a last semicolon', 'a.txt'],
    ['form-data; name="file"', 'no file name', null],
    ['form-data; name="file"; filename="répört.pdf"', 'UTF-8', 'répört.pdf'],
  ]
  for (const [value, what, filename] of names)
    it(`a disposition with ${what}`, () => {
      const body = Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: ${value}\r\n\r\nabc\r\n${END}`)
      expect(scan([body])).to.deep.equal([{ name: 'file', filename, content: 'abc', pieces: 1 }])
    })

  const bad: readonly (readonly [string, string, RegExp])[] = [
    ['no headers', `--${BOUNDARY}\r\n\r\nabc\r\n${END}`, /header of a part cannot be read/],
    ['no disposition', `--${BOUNDARY}\r\nX-A: b\r\n\r\nabc\r\n${END}`, /no Content-Disposition/],
    ['no name', `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nabc\r\n${END}`, /with a name/],
    ['another disposition', `--${BOUNDARY}\r\nContent-Disposition: attachment; name="file"\r\n\r\nabc\r\n${END}`, /form-data/],
    ['an open quote', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file\r\n\r\nabc\r\n${END}`, /form-data/],
    ['a folded header', `--${BOUNDARY}\r\nContent-Disposition: form-data;\r\n name="file"\r\n\r\nabc\r\n${END}`, /cannot be read/],
    [
      'a line feed in a name',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a\nb"\r\n\r\nabc\r\n${END}`,
      /cannot be read/,
    ],
    ['a header twice', part('abc', { headers: 'Content-Disposition: form-data; name="b"\r\n' }).toString() + END, /twice/],
    ['an encoding', part('YWJj', { headers: 'Content-Transfer-Encoding: base64\r\n' }).toString() + END, /encoded/],
    ['headers of 5 kB', part('abc', { headers: `X-A: ${'a'.repeat(5_000)}\r\n` }).toString() + END, /larger than 4096 bytes/],
    ['10,000 header lines', part('abc', { headers: 'X-A: b\r\n'.repeat(10_000) }).toString() + END, /larger than 4096 bytes/],
    ['no end', part('abc').toString(), /ends before its last boundary/],
    ['half a boundary', part('abc').toString() + `--${BOUNDARY}`, /ends before its last boundary/],
    ['nothing', '', /ends before its last boundary/],
  ]
  for (const [what, body, says] of bad)
    it(`with ${what} cannot be read`, () => {
      expect(refusal(() => scan([Buffer.from(body)])))
        .to.match(/^malformed-request/)
        .and.match(says)
    })

  it('headers that are never complete are given up, however slowly they come', () => {
    const scanner = new MultipartScanner(BOUNDARY, () => ({ write: () => undefined, end: () => undefined }))
    scanner.write(Buffer.from(`--${BOUNDARY}\r\n`))
    expect(
      refusal(() => {
        for (;;) scanner.write(Buffer.from('X-Header: value\r\n'))
      }),
    ).to.match(/larger than 4096/)
  })

  it('A9 no head of a part takes more than 5 ms, whatever it is made of', async () => {
    const heads = [
      ...Array.from({ length: 128 }, (_, code) => `a:${String.fromCharCode(code).repeat(4_000)}`).flatMap((head) => [head, `${head}\n`]),
      `a: ${'\t '.repeat(2_000)}\n`,
      'a:b\r\n'.repeat(800),
      `Content-Disposition: form-data${';'.repeat(2_000)}${' '.repeat(2_000)}`,
      `Content-Disposition: form-data; name="${'\\"'.repeat(1_900)}`,
      `Content-Disposition: form-data; name="a"; filename*=utf-8'${"'".repeat(3_900)}`,
      `Content-Disposition: form-data; name="${'%22'.repeat(1_300)}"`,
    ]
    for (const head of heads) {
      const body = Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\nx\r\n${END}`)
      let least = Infinity
      for (let n = 0; n < 5 && least > 5; n++)
        least = Math.min(
          least,
          await cpuOf(() => {
            try {
              scan([body])
            } catch (error) {
              if (!(error instanceof Problem)) throw error
            }
          }),
        )
      expect(least, JSON.stringify(head.slice(0, 40))).to.be.at.most(5)
    }
  })
})
