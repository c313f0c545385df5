import type { Attack } from './attack.js'

const SCRAPE = '/v1/scrape'
/** Most pages in a browser that one attack opens at once. */
const PAGES = 3

/** A page that a browser opens, with a script. */
function browser(name: string, script: string, head = ''): Attack {
  return {
    name: `page: ${name}`,
    atOnce: PAGES,
    path: SCRAPE,
    body: (site, count) => JSON.stringify({ url: `${site}/page?${count}`, mode: 'standard', timeout: 10 }),
    page: () => ({ contentType: 'text/html', bytes: Buffer.from(`<h1>x</h1><p>words</p>${head}<script>${script}</script>`) }),
  }
}

/** A page that is read without a browser. */
function fetched(name: string, contentType: string, bytes: () => Uint8Array): Attack {
  return {
    name: `fetched: ${name}`,
    atOnce: 4,
    path: SCRAPE,
    body: (site, count) => JSON.stringify({ url: `${site}/page?${count}`, mode: 'fast' }),
    page: () => ({ contentType, bytes: bytes() }),
  }
}

const dots = `http://a${'.'.repeat(1980)}x\n`
const pictures = Array.from({ length: 400 }, (_, index) => `<img src="http://i${index}.slow.test/">`).join('')
const scored =
  '<div><p>some words, and more, yes, ok ok ok ok ok ok</p>'.repeat(250) + '<p>words, words, words are good for a score</p>'.repeat(60_000)

/** Pages that a browser opens. */
export const opened: readonly Attack[] = [
  browser('logs without end', 'const s="x".repeat(60e6);setInterval(()=>console.log(s),1)'),
  browser('many small logs', 'setInterval(()=>{for(let i=0;i<20000;i++)console.log(i,"y".repeat(1000))},1)'),
  browser('throws without end', 'const s="\\u0001".repeat(50e6);setInterval(()=>{throw new Error(s)},1)'),
  browser(
    'fetches without end',
    'const u="/q?"+"k".repeat(1500000);setInterval(()=>{for(let i=0;i<40;i++)fetch(u+Math.random(),{mode:"no-cors"}).catch(()=>0)},5)',
  ),
  browser(
    'takes memory',
    'const keep=[];setInterval(()=>{const a=new Uint8Array(50<<20);for(let i=0;i<a.length;i+=4096)a[i]=1;keep.push(a)},1)',
  ),
  browser('400 pictures on silent names', '', pictures),
  browser(
    'frames without end',
    'setInterval(()=>{for(let i=0;i<200;i++){const f=document.createElement("iframe");f.src="about:blank#"+"z".repeat(50000);document.body.append(f)}},1)',
  ),
  browser(
    'workers without end',
    'const u=URL.createObjectURL(new Blob(["for(;;);"]));const keep=[];setInterval(()=>{for(let i=0;i<20;i++)keep.push(new Worker(u))},1)',
  ),
  browser('spins', 'setTimeout(()=>{for(;;);},1)'),
]

/** Pages that are fetched and read. */
export const read: readonly Attack[] = [
  fetched('nested elements, 2.8 MB', 'text/html', () => Buffer.from('<div>'.repeat(560_000))),
  fetched('250 levels and 60,000 paragraphs', 'text/html', () => Buffer.from(`<body>${scored}`)),
  fetched('runs of dots, 2 MB', 'text/plain', () => Buffer.from(dots.repeat(1_000))),
  fetched('windows-1252, 20 MB', 'text/html; charset=windows-1252', () => Buffer.alloc(20_000_000, 0x81)),
]
