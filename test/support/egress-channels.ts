import type { IncomingMessage, ServerResponse } from 'node:http'

/** Ways out of a page, each to a target `t` (`host:port`) that the guard does not allow; some are sent there by the page's own `/to?`, see `redirectTo`. */
export const CHANNELS: Readonly<Record<string, (t: string) => string>> = {
  fetch: (t) => `<script>fetch('http://${t}/fetch',{mode:'no-cors'}).catch(()=>0)</script>`,
  'fetch by name': (t) => `<script>fetch('http://localhost:${portOf(t)}/name',{mode:'no-cors'}).catch(()=>0)</script>`,
  'fetch by IPv6': (t) => `<script>fetch('http://[::ffff:127.0.0.1]:${portOf(t)}/six',{mode:'no-cors'}).catch(()=>0)</script>`,
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
    `<script>try{const p=new RTCPeerConnection(),[h,q]=['${hostOf(t)}',${portOf(t)}];p.createDataChannel('c');p.createOffer().then(o=>p.setLocalDescription(o)).then(()=>p.addIceCandidate({candidate:'candidate:1 1 udp 2122260223 '+h+' '+q+' typ host',sdpMid:'0'})).catch(()=>0)}catch(e){}</script>`,
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
  'picture source': (t) => `<picture><source srcset="http://${t}/source.png"><img></picture>`,
  'image input': (t) => `<input type="image" src="http://${t}/input.png">`,
  'SVG use': (t) => `<svg><use href="http://${t}/use.svg#a"/></svg>`,
  'CSS cursor and mask': (t) => `<div style="cursor:url('http://${t}/c.png'),auto;mask-image:url('http://${t}/m.png')">x</div>`,
  'frame by meta refresh': (t) => `<iframe srcdoc="<meta http-equiv='refresh' content='0; url=http://${t}/refresh'>"></iframe>`,
  'frame by script': (t) => `<iframe srcdoc="<script>location.href='http://${t}/moved'</script>"></iframe>`,
  'redirected image': (t) => `<img src="/to?http://${t}/r.png">`,
  'redirected frame': (t) => `<iframe src="/to?http://${t}/r"></iframe>`,
  'redirected fetch': (t) => `<script>fetch('/to?http://${t}/r',{mode:'no-cors'}).catch(()=>0)</script>`,
  'redirected style sheet and script': (t) =>
    `<link rel="stylesheet" href="/to?http://${t}/r.css"><script src="/to?http://${t}/r.js"></script>`,
}

/** Sends a visitor to the address in the query. */
export function redirectTo(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(302, { location: (request.url ?? '').split('?', 2)[1] ?? '/' }).end()
}

const portOf = (target: string): string => target.slice(target.lastIndexOf(':') + 1)
const hostOf = (target: string): string => target.slice(0, target.lastIndexOf(':'))
