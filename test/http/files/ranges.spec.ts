import { expect } from 'chai'
import { systemClock } from '../../../core/runtime/clock.js'
import { send, startGateway, type TestGateway } from '../../support/gateway.js'
import { expectProblem } from '../../support/problem.js'
import { ACCOUNT, S3Server } from '../../support/s3.js'

const SIZE = 200_000
/** Every place of it is different from its neighbours. */
const FILM = Array.from({ length: SIZE / 8 }, (_, place) => String(place).padStart(8, '0')).join('')

interface Part {
  readonly what: string
  readonly range: string
  readonly from: number
  readonly to: number
}

/** The requests of a player that opens a film, reads its index at the end, seeks, and reads on. */
const PLAYER: readonly Part[] = [
  { what: 'all of it', range: 'bytes=0-', from: 0, to: SIZE },
  { what: 'its first two bytes', range: 'bytes=0-1', from: 0, to: 2 },
  { what: 'its first bytes', range: 'bytes=0-1023', from: 0, to: 1_024 },
  { what: 'its end from a place on', range: `bytes=${String(SIZE - 4_096)}-`, from: SIZE - 4_096, to: SIZE },
  { what: 'its last bytes', range: 'bytes=-4096', from: SIZE - 4_096, to: SIZE },
  { what: 'its last byte', range: `bytes=${String(SIZE - 1)}-${String(SIZE - 1)}`, from: SIZE - 1, to: SIZE },
  { what: 'a place in the middle', range: 'bytes=100001-131072', from: 100_001, to: 131_073 },
  { what: 'more than is left', range: `bytes=${String(SIZE - 10)}-999999999`, from: SIZE - 10, to: SIZE },
  { what: 'more last bytes than it has', range: 'bytes=-999999999', from: 0, to: SIZE },
]
/** Requests that get the whole file. */
const WHOLE: readonly (readonly [what: string, headers: Readonly<Record<string, string>>])[] = [
  ['no range', {}],
  ['a range beyond the end', { range: `bytes=${String(SIZE)}-` }],
  ['a range that ends before it begins', { range: 'bytes=20-10' }],
  ['no last bytes', { range: 'bytes=-0' }],
  ['two ranges', { range: 'bytes=0-1,4-5' }],
  ['another unit', { range: 'seconds=0-1' }],
  ['If-Range with an entity tag, which files here do not have', { range: 'bytes=0-1', 'if-range': '"abc"' }],
  ['If-Range with a date', { range: 'bytes=0-1', 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }],
]

describe('ranges of a file behind a link', function () {
  this.timeout(20_000)
  let server: S3Server
  before(async () => void (server = await new S3Server(systemClock).start()))
  after(async () => await server.close())
  const inStore = (more = ''): Record<string, string> => ({
    CAPSTAN_ARTIFACTS: server.setting(more),
    CAPSTAN_S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId,
    CAPSTAN_S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey,
  })
  const linkOf = async (gateway: TestGateway): Promise<string> =>
    (await gateway.app.services.artifacts.put('default', Buffer.from(FILM), { name: 'film.mp4', contentType: 'video/mp4' })).url

  for (const [place, env] of [
    ['a folder', (): Record<string, string> => ({})],
    ['an object store', inStore],
  ] as const)
    describe(`in ${place}`, () => {
      let gateway: TestGateway
      let url: string
      before(async () => {
        gateway = await startGateway({ env: env() })
        url = await linkOf(gateway)
      })
      after(async () => await gateway?.close())

      for (const { what, range, from, to } of PLAYER)
        it(`a player gets ${what}: ${range}`, async () => {
          const { status, headers, text } = await send(url, { headers: { range } })
          expect([status, headers['content-range'], headers['content-length'], headers['accept-ranges']]).to.deep.equal([
            206,
            `bytes ${String(from)}-${String(to - 1)}/${String(SIZE)}`,
            String(to - from),
            'bytes',
          ])
          expect(text === FILM.slice(from, to), 'the bytes of the range').to.equal(true)
        })

      for (const [what, headers] of WHOLE)
        it(`${what} gets the whole file`, async () => {
          const reply = await send(url, { headers })
          expect([reply.status, reply.headers['content-range'], reply.headers['content-length']]).to.deep.equal([
            200,
            undefined,
            String(SIZE),
          ])
          expect(reply.text === FILM, 'all bytes').to.equal(true)
        })

      it('HEAD has the size of the whole file, whatever range it names', async () => {
        const { status, headers } = await send(url, { method: 'HEAD', headers: { range: 'bytes=0-1' } })
        expect([status, headers['content-range'], headers['content-length']]).to.deep.equal([200, undefined, String(SIZE)])
      })

      it('a file smaller than what it takes of the quota has its own size', async () => {
        const { url: small } = await gateway.app.services.artifacts.put('default', Buffer.from('0123456789'), { name: 'a.txt' })
        for (const [range, from, text] of [
          ['bytes=2-', 2, '23456789'],
          ['bytes=-3', 7, '789'],
          ['bytes=9-20', 9, '9'],
        ] as const) {
          const reply = await send(small, { headers: { range } })
          const last = String(from + text.length - 1)
          expect([reply.status, reply.headers['content-range'], reply.text]).to.deep.equal([206, `bytes ${String(from)}-${last}/10`, text])
        }
        const beyond = await send(small, { headers: { range: 'bytes=10-' } })
        expect([beyond.status, beyond.headers['content-length'], beyond.text]).to.deep.equal([200, '10', '0123456789'])
        // s3rver breaks the connection of a range of an empty object.
        if (place === 'an object store') return
        const { url: empty } = await gateway.app.services.artifacts.put('default', Buffer.alloc(0), { name: 'a.txt' })
        for (const range of ['bytes=0-', 'bytes=-5']) expect((await send(empty, { headers: { range } })).status, range).to.equal(200)
      })

      it('twenty places at once are each their own', async () => {
        const places = Array.from({ length: 20 }, (_, count) => count * 9_973)
        const replies = await Promise.all(
          places.map((from) => send(url, { headers: { range: `bytes=${String(from)}-${String(from + 99)}` } })),
        )
        expect(replies.map(({ text }) => text)).to.deep.equal(places.map((from) => FILM.slice(from, from + 100)))
      })
    })

  it('only the bytes of the range are read from the object store', async () => {
    const gateway = await startGateway({ env: inStore() })
    try {
      const url = await linkOf(gateway)
      server.requests.length = 0
      await send(url, { headers: { range: 'bytes=-100' } })
      expect(server.requests.map(({ method, headers }) => `${method} ${String(headers.range)}`)).to.deep.equal([
        'GET bytes=0-1',
        `GET bytes=${String(SIZE - 100)}-${String(SIZE - 1)}`,
      ])
    } finally {
      await gateway.close()
    }
  })

  for (const [what, head, body] of [
    ['ignores ranges', { 'content-length': SIZE }, FILM],
    ['sends another range', { 'content-length': 100, 'content-range': `bytes 100-199/${String(SIZE)}` }, FILM.slice(100, 200)],
    ['sends other bytes than it announces', { 'content-length': 50, 'content-range': `bytes 0-99/${String(SIZE)}` }, FILM.slice(0, 50)],
  ] as const)
    it(`of an object store that ${what} the whole file is sent`, async () => {
      const gateway = await startGateway({ env: inStore() })
      try {
        const url = await linkOf(gateway)
        server.trick((_request, response) => {
          response.writeHead('content-range' in head ? 206 : 200, head).end(body)
          return true
        })
        const { status, headers, text } = await send(url, { headers: { range: 'bytes=0-99' } })
        expect([status, headers['content-range'], headers['content-length']]).to.deep.equal([200, undefined, String(SIZE)])
        expect(text === FILM, 'all bytes').to.equal(true)
        expect((await send(url, { headers: { range: 'bytes=0-99' } })).text).to.equal(FILM.slice(0, 100))
      } finally {
        await gateway.close()
      }
    })

  it('an object store that sends a part when it was asked for all makes the request fail', async () => {
    const gateway = await startGateway({ env: inStore() })
    try {
      const url = await linkOf(gateway)
      for (let count = 0; count < 2; count++)
        server.trick((_request, response) => {
          response.writeHead(206, { 'content-length': 100, 'content-range': `bytes 100-199/${String(SIZE)}` }).end(FILM.slice(100, 200))
          return true
        })
      expectProblem(await send(url, { headers: { range: 'bytes=0-99' } }), 'overloaded')
    } finally {
      await gateway.close()
    }
  })

  it('where links lead to the object store, the store takes the same ranges', async () => {
    const gateway = await startGateway({ env: inStore('&links=direct') })
    try {
      const url = await linkOf(gateway)
      // s3rver takes `bytes=-N` for the first N bytes.
      for (const { range, from, to, what } of PLAYER.filter((part) => !part.range.startsWith('bytes=-'))) {
        const sent = await send(url, { headers: { range } })
        expect(sent.status, what).to.equal(302)
        const there = await send(sent.headers.location ?? '', { headers: { range } })
        expect([there.status, there.headers['content-range']], what).to.deep.equal([
          206,
          `bytes ${String(from)}-${String(to - 1)}/${String(SIZE)}`,
        ])
        expect(there.text === FILM.slice(from, to), what).to.equal(true)
      }
    } finally {
      await gateway.close()
    }
  })
})
