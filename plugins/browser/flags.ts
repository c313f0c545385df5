/** Flags of the browser, beyond playwright's defaults: every channel that could bypass the proxy is disabled. */
export function flags(heapMb: number): string[] {
  return [
    '--disable-quic',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    // The proxy resolves names: the browser itself cannot, so neither prefetch nor WebRTC queries the system
    // resolver.
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

/** Defaults of playwright that weaken the browser and are left out. */
export const LOOSENING = [
  '--disable-popup-blocking',
  '--disable-ipc-flooding-protection',
  '--disable-prompt-on-repost',
  '--unsafely-disable-devtools-self-xss-warnings',
]
