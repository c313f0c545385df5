/** What lies in the newcomer's working folder. */
export const FILES: Readonly<Record<string, string>> = {
  'notes.txt': 'Some notes.\n',
  'empty.txt': '',
  'papers/one.txt': 'One.\n',
  'query.json': '{"query": "heat pumps",}\n',
  'broken.yml': 'server:\n  port: [8421\n',
  'typo.yml': 'server:\n  prot: 8421\n',
  'tabs.yml': 'server:\n\tport: 8421\n',
  'quoted.yml': 'server:\n  port: "8421"\n',
  'list.yml': '- port: 8421\n',
  'order.yml': 'waterfall:\n  search.serp: [braev]\n',
  'elsewhere/notes.txt': 'No data yet.\n',
  'guests/torn/index.js': 'export const x = {\n',
  'plain/index.js': 'export const x = 1\n',
  'hello/index.js': `import { plugin } from 'capstan/sdk'\nexport const manifest = plugin({ name: 'hello', version: '1.0.0', sdk: 2, title: 'Hello' })\n`,
  'old/index.js': `import { plugin } from 'capstan/sdk'\nexport const manifest = plugin({ name: 'old', version: '1.0.0', sdk: 1, title: 'Old' })\n`,
  'not-a-database.db': 'This is a text.\n',
}
