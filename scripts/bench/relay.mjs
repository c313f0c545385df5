/** The floor of a Koa gateway: reads JSON, calls the upstream at the same path, answers JSON. No key, no limit, no ledger. */
import Koa from 'koa'
import { Agent, request } from 'undici'

const [port, upstream] = process.argv.slice(2)
const dispatcher = new Agent({ connections: 128 })
const app = new Koa()
app.use(async (ctx) => {
  const chunks = []
  for await (const chunk of ctx.req) chunks.push(chunk)
  const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const reply = await request(upstream + ctx.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    dispatcher,
  })
  ctx.body = await reply.body.json()
})
app.listen(Number(port), '127.0.0.1')
