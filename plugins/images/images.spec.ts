import { expect } from 'chai'
import sharp from 'sharp'
import { httpServer, type Running } from '../../core/sdk/testkit/servers.js'
import { needs } from '../../test/support/exec-sandbox.js'
import { startGateway, type TestGateway } from '../../test/support/gateway.js'
import {
  drawn,
  json,
  outcomes,
  painted,
  picture,
  places,
  plain,
  png,
  refuses,
  withImageWorld,
  type ImageAnswer,
  type ImageWorld,
} from '../../test/support/image-world.js'
import { pixelsOf as decodedPixels } from '../../test/support/pixels.js'
import { expectProblem } from '../../test/support/problem.js'
import { until } from '../../test/support/time.js'
import { ASPECT_RATIOS } from './contract.js'
import { pixelsOf } from './sizes.js'

describe('images.generate', function () {
  this.timeout(60_000)
  let world: ImageWorld
  withImageWorld((started) => (world = started))

  it('gives a square of 512 pixels for 3 credits when only the prompt is said, and echoes what was asked', async () => {
    const { status, body, bytes } = await world.generate()
    const { b64_json: _picture, ...rest } = body.data ?? { b64_json: '' }
    expect(status).to.equal(200)
    expect(rest).to.deep.equal({ content_type: 'image/png', prompt: 'A red kettle', aspect_ratio: '1:1', image_size: '512px' })
    expect([body.credits_used, body.metadata.provider_used, body.metadata.notes ?? []]).to.deep.equal([3, 'gemini', []])
    const pixels = await decodedPixels(bytes)
    expect([pixels.width, pixels.height]).to.deep.equal([512, 512])
    expect(world.asked.map(({ path }) => path)).to.deep.equal(['/gemini/models/gemini-3.1-flash-image-preview:generateContent'])
  })

  it('adds the house style to the prompt, and leaves it out when the caller says so', async () => {
    await world.generate()
    await world.generate({ skip_default_style: true })
    const prompts = [world.sent(0), world.sent(1)].map((body) => JSON.stringify(body['contents']))
    expect(prompts[0]).to.contain(JSON.stringify('A red kettle\n\nStyle: In the style of the house.'))
    expect(prompts[1]).to.contain('"A red kettle"').and.not.contain('Style')
  })

  it('is what /v1/agent means by images', async () => {
    const reply = await world.gateway.post('/v1/agent', { capability: 'images', params: { prompt: 'A red kettle' } })
    expect([reply.status, reply.json<ImageAnswer>().data?.content_type]).to.deep.equal([200, 'image/png'])
  })

  for (const aspect_ratio of ['2:3', '5:4', '21:9'] as const)
    it(`gives exactly the pixels of ${aspect_ratio}, from the middle of a picture of another ratio, and says so`, async () => {
      world.says.gemini = drawn(await png(600, 400))
      const { body, bytes } = await world.generate({ aspect_ratio })
      const wanted = pixelsOf({ aspect_ratio, image_size: '512px' })
      const pixels = await decodedPixels(bytes)
      expect([pixels.width, pixels.height]).to.deep.equal([wanted.width, wanted.height])
      expect(body.metadata.notes?.join()).to.match(/^gemini made 600 x 400 pixels; the picture was cropped and scaled (?:up|down) to /)
      const [left, right] = [pixels.at(2, 2), pixels.at(wanted.width - 3, 2)]
      expect([left.slice(3), right.slice(1, 5)], 'the middle has both halves').to.deep.equal(['0000', '0000'])
    })

  for (const image_size of ['2K', '4K'] as const)
    it(`gives ${image_size} with ${String(pixelsOf({ aspect_ratio: '16:9', image_size }).width)} pixels across`, async () => {
      world.says.gemini = drawn(await png(320, 180))
      const { body, bytes } = await world.generate({ aspect_ratio: '16:9', image_size })
      const { width, height, format } = await sharp(bytes).metadata()
      const wanted = pixelsOf({ aspect_ratio: '16:9', image_size })
      expect([width, height]).to.deep.equal([wanted.width, wanted.height])
      expect(body.data?.content_type).to.equal(`image/${format ?? ''}`)
      expect(format).to.equal(image_size === '4K' ? 'jpeg' : 'png')
    })

  it('asks the next vendor when one refuses the prompt, for the same 3 credits', async () => {
    world.says.gemini = refuses
    const { status, body } = await world.generate()
    expect([status, body.credits_used, body.metadata.provider_used]).to.deep.equal([200, 3, 'openai-compatible'])
    expect(outcomes(body)).to.deep.equal(['gemini invalid', 'openai-compatible ok'])
  })

  for (const [what, made] of [
    ['a black picture', () => plain('#000000').png()],
    ['a picture of one colour', () => plain('#7f7f7f').jpeg()],
    ['a picture that is wholly transparent', () => plain('#ffffff').ensureAlpha(0).png()],
  ] as const)
    it(`takes ${what} for a refusal: the next vendor is asked, and the first costs nothing`, async () => {
      world.says.gemini = drawn(await made().toBuffer())
      const { status, body } = await world.generate()
      expect([status, body.credits_used, body.metadata.provider_used]).to.deep.equal([200, 3, 'openai-compatible'])
      expect(outcomes(body)).to.deep.equal(['gemini invalid', 'openai-compatible ok'])
    })

  it('is 422 at the prompt, free of charge, when all refuse, and suspends nobody', async () => {
    world.says.gemini = refuses
    world.says.openai = painted(await plain('#000000').png().toBuffer())
    const reply = await world.post({ prompt: 'Something bad' })
    const envelope = expectProblem(reply, 'validation-failed')
    expect(envelope.detail?.map(({ loc }) => loc)).to.deep.equal([['body', 'prompt']])
    expect(outcomes(reply.json<ImageAnswer>())).to.deep.equal(['gemini invalid', 'openai-compatible invalid'])
    world.reset()
    expect((await world.generate()).body.metadata.provider_used).to.equal('gemini')
  })

  it('a 400 of a vendor names no field that callers do not have', async () => {
    world.says.gemini = refuses
    world.says.openai = json({ error: { message: 'no', type: 'invalid_request_error', code: null } }, 400)
    const { status, body } = await world.generate()
    expect([status, places(body)]).to.deep.equal([422, ['body.prompt']])
  })

  it('fetches a link in a reply at once, and goes by the bytes, not by what was said', async () => {
    world.says.gemini = refuses
    const webp = await (await picture(512, 512)).webp({ quality: 90 }).toBuffer()
    world.says.openai = json({ data: [{ url: world.link('/out.png', webp, 'image/png') }] })
    const { body, bytes } = await world.generate()
    expect(body.data?.content_type).to.equal('image/png')
    expect((await sharp(bytes).metadata()).format).to.equal('png')
  })

  for (const [what, url] of [
    ['leads inside', () => 'http://169.254.169.254/latest/meta-data'],
    ['is gone', () => `${world.files.url}/gone.png`],
    ['gives a page', () => world.link('/page.png', Buffer.from('<!doctype html><p>Sorry'), 'image/png')],
  ] as const)
    it(`a link in a reply that ${what} is a broken vendor`, async () => {
      world.says.gemini = refuses
      world.says.openai = json({ data: [{ url: url() }] })
      const { status, body } = await world.generate()
      expect([status, body.credits_used]).to.deep.equal([502, 0])
      expect(outcomes(body)).to.deep.equal(['gemini invalid', 'openai-compatible broken'])
    })

  for (const [what, params, fields] of [
    ['an empty prompt', { prompt: '' }, ['body.prompt']],
    ['a prompt of blanks and punctuation', { prompt: ' \n … !' }, ['body.prompt']],
    ['a prompt of 4,001 characters', { prompt: 'x'.repeat(4_001) }, ['body.prompt']],
    ['an unknown ratio', { aspect_ratio: '2:1' }, ['body.aspect_ratio']],
    ['an unknown size', { image_size: '8K' }, ['body.image_size']],
    ['an address without a scheme', { reference_image_url: 'example.com/a.png' }, ['body.reference_image_url']],
    ['an address of another scheme', { reference_image_url: 'file:///etc/passwd' }, ['body.reference_image_url']],
    ['a field that there is not', { size: '1K' }, ['body.size']],
    ['two faults at once', { prompt: '', aspect_ratio: 'wide' }, ['body.aspect_ratio', 'body.prompt']],
    [
      'two faults at once that no schema states',
      { prompt: '?', reference_image_url: 'a.png' },
      ['body.prompt', 'body.reference_image_url'],
    ],
  ] as const)
    it(`refuses ${what} at the field`, async () => {
      const { status, body } = await world.generate(params)
      expect([status, body.credits_used, places(body)]).to.deep.equal([422, 0, [...fields]])
      expect(world.asked).to.deep.equal([])
    })

  it('lists the ratios that there are when it refuses one', async () => {
    const { body } = await world.generate({ aspect_ratio: '2:1' })
    for (const ratio of ASPECT_RATIOS) expect(body.detail?.[0]?.msg, ratio).to.contain(ratio)
  })

  it('takes a prompt of 4,000 characters and of emoji', async () => {
    for (const prompt of ['x'.repeat(4_000), '🐈']) expect((await world.generate({ prompt })).status).to.equal(200)
  })
})

describe('images.generate by vendors that take jobs', function () {
  this.timeout(60_000)
  let vendor: Running
  let gateway: TestGateway
  const asked: string[] = []
  let state = 'COMPLETED'
  let isAway = false

  before(async function () {
    needs(this, 'bwrap')
    const bytes = await png(512, 512)
    vendor = await httpServer((request, response) => {
      const { method = '', url = '' } = request
      request.resume()
      asked.push(`${method} ${url}`)
      const at = `${vendor.url}/fal-ai/flux/requests/r1`
      const job = { status: 'IN_QUEUE', request_id: 'r1', status_url: `${at}/status`, response_url: at, cancel_url: `${at}/cancel` }
      if (isAway && method === 'POST') return void response.writeHead(503).end()
      if (url === '/out.png' || url.startsWith('/prompt/')) return void response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
      if (method === 'POST') return json(job)(request, response)
      if (method === 'PUT') return json({ status: 'CANCELLATION_REQUESTED' }, 202)(request, response)
      if (url.endsWith('/status')) return json({ status: state }, state === 'COMPLETED' ? 200 : 202)(request, response)
      json({ images: [{ url: `${vendor.url}/out.png` }], has_nsfw_concepts: [false] })(request, response)
    })
    const env = { CAPSTAN_VENDOR_FAL_URL: vendor.url, FAL_KEY: 'key-of-fal', CAPSTAN_VENDOR_POLLINATIONS_URL: vendor.url }
    gateway = await startGateway({ bundled: true, env })
  })
  beforeEach(() => {
    asked.length = 0
    state = 'COMPLETED'
    isAway = false
  })
  after(async () => {
    await gateway?.close()
    await vendor?.close()
  })

  it('waits for the job and fetches its file', async () => {
    const reply = await gateway.post('/v1/images/generate', { prompt: 'A red kettle' })
    expect([reply.status, reply.json<ImageAnswer>().metadata.provider_used]).to.deep.equal([200, 'fal'])
    const [job, status] = ['/fal-ai/flux/requests/r1', '/fal-ai/flux/requests/r1/status']
    expect(asked).to.deep.equal(['POST /fal-ai/flux/schnell', `GET ${status}`, `GET ${job}`, 'GET /out.png'])
  })

  it('a caller who leaves ends the job at the vendor', async () => {
    state = 'IN_PROGRESS'
    const leaving = new AbortController()
    const call = fetch(`${gateway.url}/v1/images/generate`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'A red kettle' }),
    }).then(
      () => 'answered',
      () => 'left',
    )
    await until(() => asked.some((each) => each.endsWith('/status')))
    leaving.abort()
    expect(await call).to.equal('left')
    await until(() => asked.includes('PUT /fal-ai/flux/requests/r1/cancel'))
  })

  it('says before anything is fetched or asked that no vendor here takes a reference picture', async () => {
    const reply = await gateway.post('/v1/images/generate', { prompt: 'x', reference_image_url: 'https://example.com/a.png' })
    expectProblem(reply, 'capability-unavailable')
    expect(reply.json().error?.detail).to.contain('accepts a reference picture')
    expect(asked).to.deep.equal([])
  })

  it('pollinations is asked only where the operator names it', async () => {
    isAway = true
    const without = await gateway.post('/v1/images/generate', { prompt: 'A red kettle' })
    expect(without.json<ImageAnswer>().metadata.attempts.map(({ provider }) => provider)).to.deep.equal(['fal'])
    asked.length = 0
    const order = await gateway.admin('PUT', '/admin/v1/waterfall/images.generate', { order: ['pollinations'] })
    expect(order.status, order.text).to.equal(200)
    const reply = await gateway.post('/v1/images/generate', { prompt: 'A red kettle', skip_default_style: true })
    expect([reply.status, reply.json<ImageAnswer>().metadata.provider_used]).to.deep.equal([200, 'pollinations'])
    const query = 'model=flux&width=512&height=512&seed=\\d+&nologo=true&private=true&safe=true'
    expect(asked.join()).to.match(new RegExp(`^GET /prompt/A%20red%20kettle\\?${query}$`))
    asked.length = 0
    const long = await gateway.post('/v1/images/generate', { prompt: 'ä'.repeat(3_000) })
    expect(places(long.json<ImageAnswer>()), 'longer than an address may be').to.deep.equal(['body.prompt'])
    expect(asked).to.deep.equal([])
  })
})
