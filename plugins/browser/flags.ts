/** What the browser is started with, beyond what playwright gives: everything that could leave by another way than the proxy is off. */
export function flags(heapMb: number): string[] {
  return [
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    // Names are the proxy's to resolve: the browser itself finds none, so that neither prefetch nor WebRTC asks the system.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    '--dns-prefetch-disable',
    '--no-pings',
    '--disable-client-side-phishing-detection',
    '--disable-domain-reliability',
    '--disable-print-preview',
    '--disable-remote-fonts-preload',
    '--disable-speech-api',
    '--disable-notifications',
    '--deny-permission-prompts',
    '--block-new-web-contents',
    '--mute-audio',
    '--hide-scrollbars',
    '--disk-cache-size=1',
    `--js-flags=--max-old-space-size=${heapMb}`,
  ]
}

/** Defaults of playwright that loosen the browser and are left out. */
export const LOOSENING = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--disable-prompt-on-repost',
  '--unsafely-disable-devtools-self-xss-warnings',
]
