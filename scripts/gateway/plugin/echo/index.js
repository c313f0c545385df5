import { plugin } from 'capstan/sdk'
export const echo = plugin({ name: 'echo', version: '1.0.0', sdk: 2, title: 'Echo' })
