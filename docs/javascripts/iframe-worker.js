// Search in pages that are opened from a folder: browsers refuse workers of file:// addresses, so a
// worker's script runs in a hidden frame of the page instead. Elsewhere this does nothing.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      this.scope = frame.contentWindow;
      this.scope.importScripts = (...urls) => Promise.all(urls.map((each) => this.load(each)));
      this.scope.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = this.load(new URL(url, location.href).href);
    }

    load(url) {
      const document = this.scope.document;
      return new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.onload = resolve;
        script.onerror = reject;
        script.src = url;
        document.documentElement.append(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
