import { expect } from 'chai'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { Fault, type Call } from '../../core/sdk/index.js'
import { accessToken } from './google-token.js'

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const account = JSON.stringify({
  client_email: 'robot@example.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
})
const partOf = (assertion: string, at: number): unknown => JSON.parse(Buffer.from(assertion.split('.')[at] ?? '', 'base64url').toString())

/** The state of a gateway, and its recorded requests. */
function place(credentials: string) {
  const calls: Call[] = []
  const state = { current: null }
  const context = {
    secret: () => credentials,
    use: () => Promise.resolve(state),
    api: {
      json: (call: Call) => Promise.resolve(calls.push(call) && { access_token: `token-${String(calls.length)}`, expires_in: 3_600 }),
    },
  } as unknown as Parameters<typeof accessToken>[0]
  return { context, calls }
}

describe("invoices: Google's tokens", () => {
  it('a service account signs a request for a token, which is used until shortly before its end', async () => {
    const { context, calls } = place(account)
    let now = 1_000_000_000
    expect(await accessToken(context, () => now)).to.equal('token-1')
    now += 3_200_000
    expect(await accessToken(context, () => now)).to.equal('token-1')
    now += 200_000
    expect(await accessToken(context, () => now)).to.equal('token-2')
    expect(calls).to.have.lengthOf(2)
    const { form = {}, ...about } = calls[0] ?? {}
    expect(about).to.deep.equal({ method: 'POST', host: 'token', path: '/token' })
    const assertion = form['assertion'] ?? ''
    expect(form['grant_type']).to.equal('urn:ietf:params:oauth:grant-type:jwt-bearer')
    expect(partOf(assertion, 0)).to.deep.equal({ alg: 'RS256', typ: 'JWT' })
    expect(partOf(assertion, 1)).to.deep.equal({
      iss: 'robot@example.com',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      aud: 'https://oauth2.googleapis.com/token',
      iat: 1_000_000,
      exp: 1_003_600,
    })
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    expect(createVerify('RSA-SHA256').update(`${head}.${claims}`).verify(publicKey, signature, 'base64url')).to.equal(true)
  })

  it('a token is used as it is', async () => {
    const { context, calls } = place('ya29.token')
    expect(await accessToken(context)).to.equal('ya29.token')
    expect(calls).to.deep.equal([])
  })

  for (const [what, credentials] of [
    ['JSON that is cut', '{"client_email":'],
    ['a key of another kind', '{"type":"authorized_user"}'],
    ['a private key that is none', '{"client_email":"robot@example.com","private_key":"none"}'],
  ] as const) {
    it(`${what} is said of the variable, without its value`, async () => {
      const error: unknown = await accessToken(place(credentials).context).catch((caught: unknown) => caught)
      expect(Fault.is(error) && error.kind).to.equal('credentials')
      expect(String(error))
        .to.match(/GOOGLE_DOCUMENT_AI_CREDENTIALS is not usable/)
        .and.not.contain('robot')
    })
  }
})
