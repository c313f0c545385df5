/** The upstream of the benchmark: drains the body and answers one fixed completion, or ten search results at /search, after an optional delay. */
import { createServer } from 'node:http'

const [port = '9100', delay = '0'] = process.argv.slice(2)
const completion = JSON.stringify({
  id: 'cmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'mock',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A fixed answer of some forty characters.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 },
})
const results = JSON.stringify({
  searchParameters: { q: 'hello', gl: 'us', num: 10 },
  organic: Array.from({ length: 10 }, (_, index) => ({
    title: `Result ${index + 1}`,
    link: `https://example.com/result/${index + 1}`,
    snippet: 'What the page says about the query, in a sentence of some eighty characters at most.',
    position: index + 1,
  })),
  credits: 1,
})
const replyOf = (body) => ({ body, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } })
const replies = { completion: replyOf(completion), results: replyOf(results) }
createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    const { body, headers } = request.url === '/search' ? replies.results : replies.completion
    const answer = () => response.writeHead(200, headers).end(body)
    if (delay === '0') answer()
    else setTimeout(answer, Number(delay))
  })
}).listen(Number(port), '127.0.0.1')
