import { expect } from 'chai'
import { openBrowser, type BrowserSort, type TestBrowser } from '../../test/support/browser.js'
import { startCanary, startSite, type Site } from '../../test/support/browser-site.js'
import { needsProgram } from '../../test/support/needs.js'
import { stealth, stealthContext } from './stealth/stealth-flags.js'

/** Ways out of a page, each to a target `t` (`127.0.0.1:port`) that the guard does not allow. */
const CHANNELS: Readonly<Record<string, (t: string) => string>> = {
  fetch: (t) => `<script>fetch('http://${t}/fetch',{mode:'no-cors'}).catch(()=>0)</script>`,
  'fetch by name': (t) => `<script>fetch('http://localhost:${t.split(':')[1]}/name',{mode:'no-cors'}).catch(()=>0)</script>`,
  'fetch by IPv6': (t) => `<script>fetch('http://[::ffff:127.0.0.1]:${t.split(':')[1]}/six',{mode:'no-cors'}).catch(()=>0)</script>`,
  'fetch over https': (t) => `<script>fetch('https://${t}/tls',{mode:'no-cors'}).catch(()=>0)</script>`,
  XMLHttpRequest: (t) => `<script>{const x=new XMLHttpRequest();x.open('GET','http://${t}/xhr');x.onerror=()=>0;x.send()}</script>`,
  image: (t) => `<img src="http://${t}/image.png">`,
  srcset: (t) => `<img srcset="http://${t}/set.png 1x">`,
  iframe: (t) => `<iframe src="http://${t}/frame"></iframe>`,
  'iframe srcdoc': (t) => `<iframe srcdoc="<img src='http://${t}/inner.png'>"></iframe>`,
  'data iframe': (t) => `<iframe src="data:text/html,<img src='http://${t}/data.png'>"></iframe>`,
  websocket: (t) => `<script>try{new WebSocket('ws://${t}/ws').onerror=()=>0}catch(e){}</script>`,
  'secure websocket': (t) => `<script>try{new WebSocket('wss://${t}/wss').onerror=()=>0}catch(e){}</script>`,
  'WebRTC stun and turn': (t) =>
    `<script>try{const p=new RTCPeerConnection({iceServers:[{urls:'stun:${t}'},{urls:'turn:${t}?transport=udp',username:'u',credential:'c'},{urls:'turn:${t}?transport=tcp',username:'u',credential:'c'}]});p.createDataChannel('c');p.createOffer().then(o=>p.setLocalDescription(o)).catch(()=>0)}catch(e){}</script>`,
  'WebRTC candidate': (t) =>
    `<script>try{const p=new RTCPeerConnection(),[h,q]='${t}'.split(':');p.createDataChannel('c');p.createOffer().then(o=>p.setLocalDescription(o)).then(()=>p.addIceCandidate({candidate:'candidate:1 1 udp 2122260223 '+h+' '+q+' typ host',sdpMid:'0'})).catch(()=>0)}catch(e){}</script>`,
  WebTransport: (t) => `<script>try{new WebTransport('https://${t}/wt').ready.catch(()=>0)}catch(e){}</script>`,
  prefetch: (t) => `<link rel="prefetch" href="http://${t}/prefetch">`,
  preload: (t) => `<link rel="preload" as="image" href="http://${t}/preload.png">`,
  preconnect: (t) => `<link rel="preconnect" href="http://${t}">`,
  'dns-prefetch': (t) => `<link rel="dns-prefetch" href="//${t}">`,
  modulepreload: (t) => `<link rel="modulepreload" href="http://${t}/m.js">`,
  'speculation rules': (t) =>
    `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["http://${t}/spec"]}],"prerender":[{"source":"list","urls":["http://${t}/pre"]}]}</script>`,
  stylesheet: (t) => `<link rel="stylesheet" href="http://${t}/s.css">`,
  'CSS import': (t) => `<style>@import url('http://${t}/import.css');</style>`,
  'CSS image': (t) => `<div style="background:url('http://${t}/bg.png')">x</div>`,
  'CSS font': (t) => `<style>@font-face{font-family:f;src:url('http://${t}/f.woff')}i{font-family:f}</style><i>x</i>`,
  script: (t) => `<script src="http://${t}/s.js"></script>`,
  'module import': (t) => `<script type="module">import('http://${t}/i.js').catch(()=>0)</script>`,
  worker: (t) =>
    `<script>try{new Worker(URL.createObjectURL(new Blob(["fetch('http://${t}/worker',{mode:'no-cors'}).catch(()=>0)"])))}catch(e){}</script>`,
  'shared worker': (t) =>
    `<script>try{new SharedWorker(URL.createObjectURL(new Blob(["fetch('http://${t}/shared',{mode:'no-cors'}).catch(()=>0)"])))}catch(e){}</script>`,
  EventSource: (t) => `<script>new EventSource('http://${t}/events').onerror=function(){this.close()}</script>`,
  sendBeacon: (t) => `<script>navigator.sendBeacon('http://${t}/beacon','x')</script>`,
  'keepalive fetch': (t) => `<script>fetch('http://${t}/keep',{keepalive:true,method:'POST',mode:'no-cors'}).catch(()=>0)</script>`,
  ping: (t) => `<a id="p" href="#x" ping="http://${t}/ping">x</a><script>document.getElementById('p').click()</script>`,
  video: (t) => `<video autoplay muted src="http://${t}/v.mp4" poster="http://${t}/poster.png"></video>`,
  audio: (t) => `<audio autoplay src="http://${t}/a.mp3"></audio>`,
  track: (t) => `<video><track default src="http://${t}/t.vtt"></video>`,
  object: (t) => `<object data="http://${t}/o"></object>`,
  embed: (t) => `<embed src="http://${t}/e">`,
  favicon: (t) => `<link rel="icon" href="http://${t}/favicon.ico">`,
  manifest: (t) => `<link rel="manifest" href="http://${t}/manifest.json">`,
  'form post': (t) =>
    `<iframe name="f"></iframe><form id="g" method="post" action="http://${t}/form" target="f"><input name="a" value="b"></form><script>document.getElementById('g').submit()</script>`,
  'window.open': (t) => `<script>try{window.open('http://${t}/open')}catch(e){}</script>`,
  'service worker': () => `<script>navigator.serviceWorker?.register('/sw.js').catch(()=>0)</script>`,
  'svg image': (t) => `<svg><image href="http://${t}/svg.png"/></svg>`,
  'XSL sheet': (t) => `<iframe src="data:text/xml,<?xml-stylesheet type='text/xsl' href='http://${t}/x.xsl'?><a/>"></iframe>`,
  'CSP report': (t) => `<meta http-equiv="Content-Security-Policy" content="img-src 'self' http:; report-uri http://${t}/csp">`,
}

const SORTS = {
  'chromium-headless-shell': undefined,
  chromium: { programs: ['chromium'], options: stealth(256), visit: { context: stealthContext('') } },
} satisfies Readonly<Record<string, BrowserSort | undefined>>

for (const [program, sort] of Object.entries(SORTS))
  describe(`browser: ways out of a page in ${program}`, function () {
    this.timeout(120_000)
    let site: Site
    let browser: TestBrowser
    let canary: Awaited<ReturnType<typeof startCanary>>

    before(async function () {
      needsProgram(this, program)
      needsProgram(this, 'bwrap')
      canary = await startCanary()
      const target = `127.0.0.1:${canary.port}`
      const all = Object.values(CHANNELS)
        .map((write) => write(target))
        .join('\n')
      site = await startSite({
        '/all': `<!doctype html><title>all</title>${all}<p id="end">read me</p>`,
        '/redirect': (_request, response) => void response.writeHead(302, { location: `http://${target}/redirected` }).end(),
        '/script': `<p>wait</p><script>location.href='http://${target}/moved'</script>`,
        '/meta': `<meta http-equiv="refresh" content="0; url=http://${target}/meta">`,
        '/image': `<img src="/redirect"><p id="end">still here</p>`,
        '/sw.js': (_request, response) =>
          void response.writeHead(200, { 'content-type': 'text/javascript' }).end(`fetch('http://${target}/sw')`),
        '/own': `<p id="end">own</p><script>fetch('/reached').then(()=>0)</script>`,
        '/reached': 'yes',
      })
      browser = await openBrowser([site.authority], {}, sort)
    })

    after(async () => {
      await browser?.close()
      await site?.close()
      await canary?.close()
    })

    it(`T-21 N-30 a page that tries ${Object.keys(CHANNELS).length} channels to a place inside makes no connection, and is still read`, async () => {
      const seen = await browser.open(`${site.url}/all`, { timeout_ms: 60_000 })
      expect(seen.html).to.contain('read me')
      // Late tries (WebRTC timers, prerender) get their time while another page is open.
      await browser.open(`${site.url}/own`, { wait_for: '#end' })
      expect(canary.hits).to.deep.equal([])
    })

    for (const path of ['/redirect', '/script', '/meta']) {
      it(`T-18 T-21 a page that sends the browser inside by ${path} is blocked without a connection`, async () => {
        const fault = await browser.refused(`${site.url}${path}`)
        expect(fault.kind).to.equal('blocked')
        expect(canary.hits).to.deep.equal([])
      })
    }

    it('a page whose own image was refused is read all the same', async () => {
      const seen = await browser.open(`${site.url}/image`)
      expect(seen.html).to.contain('still here')
      expect(seen.status).to.equal(200)
    })
  })

describe('browser: ways out of a page to a place the operator allows', function () {
  this.timeout(120_000)
  it('are open, so that the canaries above would have noticed', async function () {
    needsProgram(this, 'chromium-headless-shell')
    needsProgram(this, 'bwrap')
    const canary = await startCanary()
    const site = await startSite({ '/': `<img src="http://127.0.0.1:${canary.port}/x.png">` })
    const browser = await openBrowser([site.authority, `127.0.0.1:${canary.port}`])
    try {
      await browser.open(`${site.url}/`)
      expect(canary.hits).not.to.deep.equal([])
    } finally {
      await browser.close()
      await site.close()
      await canary.close()
    }
  })
})
