/** The upstream of the benchmark: drains the body and answers one fixed completion, after an optional delay. */
import { createServer } from 'node:http'

const [port = '9100', delay = '0'] = process.argv.slice(2)
const body = JSON.stringify({
  id: 'cmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'mock',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fixed answer of some forty characters.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
})
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const answer = () => response.writeHead(200, headers).end(body)
    if (delay === '0') answer()
    else setTimeout(answer, Number(delay))
  })
}).listen(Number(port), '127.0.0.1')
