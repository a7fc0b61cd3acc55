"use strict";
// Unpacks the data, and then starts the script of the page: a browser unpacks gzip, but not while a script waits.
{
  async function unpack(block) {
    const bytes = Uint8Array.from(atob(block.textContent), (char) => char.charCodeAt(0));
    const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
    block.textContent = await new Response(stream).text();
  }

  async function start() {
    for (const block of document.querySelectorAll("script.links")) await unpack(block);
    const script = document.createElement("script");
    script.textContent = document.getElementById("script").textContent;
    document.body.append(script);
  }

  start().catch((error) => {
    const failure = document.getElementById("failure");
    document.body.dataset.failed = failure.textContent = `This page could not be drawn: ${error.message}`;
    failure.hidden = false;
  });
}
