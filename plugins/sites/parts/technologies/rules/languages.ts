import type { RuleGroup } from '../rule.js'

export const languages: RuleGroup = {
  category: 'language',
  rules: [
    {
      name: 'PHP',
      docs: 'PHP Manual: expose_php, session.name',
      headers: ['x-powered-by: php/{version}', 'server: php/{version}'],
      cookies: ['phpsessid'],
    },
    {
      name: 'Java',
      docs: 'Jakarta Servlet Specification: Session tracking',
      headers: ['x-powered-by: servlet', 'x-powered-by: jsp/{version}'],
      cookies: ['jsessionid'],
    },
    { name: 'Python', docs: 'Python Documentation: http.server', headers: ['server: python/{version}', 'server: cpython/{version}'] },
    { name: 'Ruby', docs: 'WEBrick Documentation: Server software', headers: ['server: webrick/{version}', 'server: puma {version}'] },
    { name: 'Node.js', docs: 'Node.js Documentation: HTTP', headers: ['x-powered-by: node'] },
    {
      name: 'Perl',
      docs: 'mod_perl Documentation: Server configuration',
      headers: ['server: mod_perl/{version}', 'x-powered-by: mojolicious'],
    },
    { name: 'Erlang', docs: 'Erlang/OTP Documentation: inets httpd', headers: ['server: inets/{version}', 'server: yaws {version}'] },
    { name: 'Elixir', docs: 'Plug Documentation: Plug.Session', headers: ['server: bandit'] },
    { name: 'ColdFusion', docs: 'ColdFusion Documentation: Session management', cookies: ['cfid', 'cftoken', 'cfglobals'] },
  ],
}
