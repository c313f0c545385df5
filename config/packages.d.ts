/*
 * Single files of packages. The index of these packages loads what a gateway never uses: a fetch, mocks and WebSockets
 * (80 files), limiters for twenty databases (36 files).
 */
declare module 'undici/lib/dispatcher/agent.js' {
  const Agent: typeof import('undici').Agent
  type Agent = import('undici').Agent
  export { Agent as default }
}
declare module 'undici/lib/dispatcher/client.js' {
  const Client: typeof import('undici').Client
  type Client = import('undici').Client
  export { Client as default }
}
declare module 'undici/lib/dispatcher/pool.js' {
  const Pool: typeof import('undici').Pool
  type Pool = import('undici').Pool
  export { Pool as default }
}
declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  const RateLimiterMemory: typeof import('rate-limiter-flexible').RateLimiterMemory
  type RateLimiterMemory = import('rate-limiter-flexible').RateLimiterMemory
  export { RateLimiterMemory as default }
}
declare module 'rate-limiter-flexible/lib/RateLimiterRedis.js' {
  const RateLimiterRedis: typeof import('rate-limiter-flexible').RateLimiterRedis
  type RateLimiterRedis = import('rate-limiter-flexible').RateLimiterRedis
  export { RateLimiterRedis as default }
}
