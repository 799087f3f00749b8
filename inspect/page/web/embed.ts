// Pages of runs inside of another page: each is made when it is opened, out of what all have in common and its own data.

function showPage(details: HTMLDetailsElement): void {
  if (!details.open || details.querySelector("iframe")) return;
  const common = JSON.parse(document.getElementById("run-page-common")!.textContent!) as string[];
  const own = Array.from(details.querySelectorAll("script"), (part) => part.textContent!);
  const frame = document.createElement("iframe");
  frame.title = details.querySelector("summary")!.textContent!;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = common.map((part, i) => part + (own[i] ?? "")).join("");
  details.append(frame);
}

document.querySelectorAll<HTMLDetailsElement>("details.run-page").forEach((details) => {
  details.addEventListener("toggle", () => showPage(details));
  document.querySelectorAll(`a[href="#${details.id}"]`).forEach((link) =>
    link.addEventListener("click", () => { details.open = true; }));
});
