import type { RuleGroup } from '../rule.js'

export const servers: RuleGroup = {
  category: 'web server',
  rules: [
    { name: 'nginx', docs: 'nginx documentation: Core functionality, server_tokens', headers: ['server: nginx/{version}'] },
    { name: 'OpenResty', docs: 'OpenResty: Getting started', headers: ['server: openresty/{version}'] },
    { name: 'Tengine', docs: 'Tengine Documentation: server_tag', headers: ['server: tengine/{version}'] },
    { name: 'Apache HTTP Server', docs: 'Apache HTTP Server Documentation: ServerTokens directive', headers: ['server: apache/{version}'] },
    {
      name: 'Apache Tomcat',
      docs: 'Apache Tomcat Configuration Reference: The HTTP connector, server',
      headers: ['server: apache-coyote/{version}', 'server: apache tomcat/{version}'],
      html: ['<hr class="line"><h3>apache tomcat/{version}'],
      implies: ['Java'],
    },
    {
      name: 'Jetty',
      docs: 'Eclipse Jetty Documentation: HttpConfiguration, sendServerVersion',
      headers: ['server: jetty({version}'],
      implies: ['Java'],
    },
    { name: 'Microsoft IIS', docs: 'IIS Documentation: requestFiltering removeServerHeader', headers: ['server: microsoft-iis/{version}'] },
    { name: 'Kestrel', docs: 'ASP.NET Core Documentation: Kestrel, AddServerHeader', headers: ['server: kestrel'], implies: ['ASP.NET'] },
    {
      name: 'LiteSpeed',
      docs: 'LiteSpeed Documentation: Server header',
      headers: ['server: litespeed', 'x-litespeed-cache', 'x-turbo-charged-by: litespeed'],
    },
    { name: 'Caddy', docs: 'Caddy Documentation: header directive', headers: ['server: caddy'] },
    { name: 'Gunicorn', docs: 'Gunicorn Documentation: Settings', headers: ['server: gunicorn/{version}'], implies: ['Python'] },
    { name: 'Uvicorn', docs: 'Uvicorn Documentation: Settings, server header', headers: ['server: uvicorn'], implies: ['Python'] },
    {
      name: 'Phusion Passenger',
      docs: 'Phusion Passenger Library: show version in header',
      headers: ['server: phusion passenger', 'x-powered-by: phusion passenger'],
    },
    { name: 'Cowboy', docs: 'Cowboy User Guide: Server header', headers: ['server: cowboy'], implies: ['Erlang'] },
    {
      name: 'Envoy',
      docs: 'Envoy Documentation: HTTP header manipulation',
      headers: ['server: envoy', 'x-envoy-upstream-service-time', 'server: istio-envoy'],
    },
    { name: 'Varnish', docs: 'Varnish Documentation: X-Varnish header', headers: ['x-varnish', 'via: varnish'] },
    {
      name: 'Apache Traffic Server',
      docs: 'Apache Traffic Server Documentation: proxy.config.http.response_server_str',
      headers: ['server: ats/{version}', 'via: apachetrafficserver'],
    },
    { name: 'lighttpd', docs: 'lighttpd Wiki: server.tag', headers: ['server: lighttpd/{version}'] },
    { name: 'Deno', docs: 'Deno Deploy Documentation: Regions and edge headers', headers: ['server: deno'] },
  ],
}
