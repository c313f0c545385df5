import { plugin } from '../../../../../core/sdk/index.js'

export const manifest = plugin({ name: 'diagnostic', version: '1.0.0', sdk: 2, title: 'Tools that the conformance suites of MCP call' })
