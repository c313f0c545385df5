import type { RuleGroup } from '../rule.js'

export const servers: RuleGroup = {
  category: 'web server',
  rules: [
    { name: 'nginx', docs: 'nginx documentation: Core functionality, server_tokens', headers: ['server: nginx/{version}'] },
    { name: 'Apache HTTP Server', docs: 'Apache HTTP Server documentation: ServerTokens directive', headers: ['server: apache/{version}'] },
  ],
}
