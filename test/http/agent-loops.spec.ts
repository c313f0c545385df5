import { expect } from 'chai'
import { startGateway, type TestGateway } from '../support/gateway.js'
import { type Format, PROTOCOLS, type Script, ToolModel } from '../support/tool-models.js'

/** Turns after which an agent gives up. */
const MOST_TURNS = 8

interface Envelope {
  readonly success: boolean
  readonly data: { readonly stdout: string } | null
  readonly error: { readonly title: string; readonly status: number } | null
  readonly detail?: readonly { readonly loc: readonly string[] }[]
  readonly credits_used: number
}

interface Loop {
  readonly text: string
  readonly statuses: readonly number[]
}

describe('an agent with a scripted model', function () {
  this.timeout(60_000)
  let gateway: TestGateway
  before(async () => (gateway = await startGateway({ bundled: true })))
  after(async () => await gateway.close())

  /** Runs a program whose parameter the model first names wrongly, corrects it by the answer, and goes on with what was printed. */
  const script =
    (call: (params: Record<string, unknown>) => ReturnType<Script>): Script =>
    (results) => {
      const answers = results.map((text) => JSON.parse(text) as Envelope)
      const last = answers.at(-1)
      if (last === undefined) return call({ source: 'console.log(6 * 7)', language: 'javascript' })
      if (last.detail !== undefined) {
        const wrong = last.detail.map(({ loc }) => loc.at(-1)).sort()
        return wrong.join() === 'code,source' ? call({ code: 'console.log(6 * 7)', language: 'javascript' }) : `I cannot: ${wrong.join()}`
      }
      const printed = last.data?.stdout.trim() ?? ''
      return printed === '42' ? call({ code: `console.log(${printed} + 1)`, language: 'javascript' }) : `It is ${printed}.`
    }

  /** The loop as agents have it: the list unchanged into the model, its calls unchanged into the gateway, the answers back. */
  async function run(format: Format, model: ToolModel, { single }: { readonly single: boolean }): Promise<Loop> {
    const { request, callsOf, textOf, turn } = PROTOCOLS[format]
    const tools = (await gateway.get(`/v1/tools?format=${format}&live=true&single=${String(single)}`)).json<unknown>()
    const messages: Record<string, unknown>[] = [{ role: 'user', content: 'What is six times seven, plus one?' }]
    const statuses: number[] = []
    for (let count = 0; count < MOST_TURNS; count++) {
      const answered = await fetch(model.url, { method: 'POST', body: JSON.stringify(request(tools, messages)) })
      const reply = (await answered.json()) as Record<string, unknown>
      if (answered.status !== 200) throw new Error(JSON.stringify(reply))
      const calls = callsOf(reply)
      if (calls.length === 0) return { text: textOf(reply), statuses }
      const results: { id: string; text: string }[] = []
      for (const { id, name, arguments: given } of calls) {
        const params: unknown = typeof given === 'string' ? JSON.parse(given) : given
        // The single tool's arguments are the body as it is.
        const answer = await gateway.send('/v1/agent', { body: single ? given : { capability: name, params } })
        statuses.push(answer.status)
        results.push({ id, text: answer.text })
      }
      messages.push(...turn(reply, results))
    }
    throw new Error('the model did not come to an end')
  }

  for (const format of ['openai', 'claude', 'mcp'] as const)
    for (const single of [false, true])
      it(`takes the ${single ? 'single tool' : 'list of tools'} in the format ${format} and its calls as they are, and each call is charged once`, async () => {
        const tool = (params: Record<string, unknown>): ReturnType<Script> =>
          single ? { name: 'capstan', arguments: { capability: 'code.execute', params } } : { name: 'code_execute', arguments: params }
        const model = await ToolModel.start(format, script(tool))
        try {
          const { balance } = await gateway.money()
          const { text, statuses } = await run(format, model, { single })
          expect(text).to.equal('It is 43.')
          expect(statuses).to.deep.equal([422, 200, 200])
          const { capabilities } = (await gateway.get('/v1/capabilities')).json<{
            capabilities: { id: string; price: Record<string, number> }[]
          }>()
          const price = capabilities.find(({ id }) => id === 'code.execute')?.price['call'] ?? NaN
          expect((await gateway.money()).balance).to.equal(balance - 2 * price)
          const list = (await gateway.get(`/v1/tools?format=${format}&live=true&single=${String(single)}`)).json<unknown>()
          expect(model.tools).to.deep.equal([list, list, list, list])
        } finally {
          await model.close()
        }
      })
})
