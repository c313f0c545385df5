import { must } from '../../gateway/start.js'
import type { BenchGateway } from './gateway.js'
import { medianMs, row, type Say } from './figure.js'

const PATH = '/v1/code/execute'
const AT_ONCE = 20

/** How long whole calls with small Python programs take: one, twenty at once, and one that draws. */
export async function benchCode(gateway: BenchGateway, say: Say): Promise<void> {
  const run = (code: string): Promise<unknown> => must(gateway.url + PATH, gateway.key, { code })
  say(row('code.execute of print(1), the whole call', await medianMs(() => run('print(1)'), { restMs: 300 }), { most: 60, unit: 'ms' }))
  const many = (): Promise<unknown> => Promise.all(Array.from({ length: AT_ONCE }, () => run('print(1)')))
  say(row(`${AT_ONCE} of them at once`, await medianMs(many), { most: 3_000, unit: 'ms' }))
  const drawing = 'import matplotlib.pyplot as plt\nplt.plot([1, 2, 3])'
  say(row('a figure of matplotlib that the program does not save', await medianMs(() => run(drawing), { restMs: 300 }), { unit: 'ms' }))
}
