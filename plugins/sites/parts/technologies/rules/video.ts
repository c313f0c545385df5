import type { RuleGroup } from '../rule.js'

export const video: RuleGroup = {
  category: 'video',
  rules: [
    {
      name: 'YouTube',
      docs: 'YouTube Player API Reference: iframe embeds',
      urls: ['youtube.com/embed/', 'youtube-nocookie.com/embed/', 'youtube.com/iframe_api', 'youtube.com/player_api'],
    },
    { name: 'Vimeo', docs: 'Vimeo Developer: Player SDK', urls: ['player.vimeo.com/'] },
    {
      name: 'Wistia',
      docs: 'Wistia Documentation: Embed links',
      urls: ['fast.wistia.com/', 'fast.wistia.net/'],
      html: ['class="wistia_embed', '<wistia-player'],
    },
    {
      name: 'Brightcove',
      weak: ['html:data-video-id='],
      docs: 'Brightcove Documentation: Player embed code',
      urls: ['players.brightcove.net/'],
      html: ['<video-js data-account'],
    },
    {
      name: 'JW Player',
      docs: 'JW Player Documentation: Library',
      urls: ['cdn.jwplayer.com/', 'content.jwplatform.com/'],
      globals: ['jwplayer('],
    },
    {
      name: 'Video.js',
      docs: 'Video.js Guides: Setup',
      urls: ['vjs.zencdn.net/{version}', '/video.min.js', '/video-js.css', '/video.js@{version}', '/video-js.min.css'],
      html: ['class="video-js'],
    },
    { name: 'Plyr', docs: 'Plyr: Quick setup', urls: ['cdn.plyr.io/{version}', '/plyr.min.js', '/plyr@{version}'] },
    {
      name: 'Mux',
      docs: 'Mux Documentation: Mux Player',
      urls: ['stream.mux.com/', 'image.mux.com/', '/@mux/mux-player'],
      html: ['<mux-player', '<mux-video'],
    },
    { name: 'hls.js', docs: 'hls.js: Getting started', urls: ['/hls.js@{version}', '/hls.min.js', '/hls.light.min.js'] },
    { name: 'Vidyard', docs: 'Vidyard Knowledge Base: Embed a player', urls: ['play.vidyard.com/'] },
    { name: 'Dailymotion', docs: 'Dailymotion Developers: Player embed', urls: ['dailymotion.com/embed/', 'geo.dailymotion.com/'] },
    {
      name: 'Kaltura',
      docs: 'Kaltura Documentation: Embedding the player',
      urls: ['cdnapisec.kaltura.com/', 'cdnapi.kaltura.com/'],
      globals: ['kwidget.embed(', 'kalturaplayer.setup('],
    },
    { name: 'Twitch', docs: 'Twitch Developers: Embedding', urls: ['player.twitch.tv/', 'embed.twitch.tv/'] },
    { name: 'Loom', docs: 'Loom Support: Embed videos', urls: ['loom.com/embed/'] },
    { name: 'Spotify', docs: 'Spotify for Developers: Embeds', urls: ['open.spotify.com/embed'] },
    { name: 'SoundCloud', docs: 'SoundCloud Developers: HTML5 widget', urls: ['w.soundcloud.com/player/'] },
  ],
}
