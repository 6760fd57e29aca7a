"""Web Push in the browser: subscribed by a click, shown by the service worker, ended by another click."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.support.push_receiver import Browser as PushBrowser
from tests.support.serving import served
from tests.web.accessibility import faults
from tests.web.browser import Visitor, visiting
from tests.web.matches import ApiPlayer

SUBSCRIPTION = PushBrowser().subscription("https://push.example/send/a1b2")
PUSH_SERVICE = """
const subscription = {
  unsubscribe: () => Promise.resolve((window.subscribed = false) || true),
  toJSON: () => ({ endpoint: "%(endpoint)s", keys: { p256dh: "%(p256dh)s", auth: "%(auth)s" } }),
};
PushManager.prototype.subscribe = (options) => {
  window.subscribed = options.applicationServerKey;
  return Promise.resolve(subscription);
};
PushManager.prototype.getSubscription = () => Promise.resolve(window.subscribed ? subscription : null);
Object.defineProperty(Notification, "permission", { value: "granted" });
"""
"""Stands in for the push service of a browser, which cannot be reached from a test."""
SHOWN = """() => {
  self.shown = [];
  self.registration.showNotification = (title, options) => Promise.resolve(self.shown.push([title, options]));
}"""


@pytest.fixture(scope="module")
def calling_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service that knows its address, so that it can call players who are away."""
    folder = tmp_path_factory.mktemp("push")
    environment = {"KONTOR_PUBLIC_URL": "http://localhost:8000"}
    with served(f"sqlite:///{folder}/kontor.db", workers=1, environment=environment) as server:
        yield f"http://127.0.0.1:{server.port}"


@pytest.fixture
def called(browser: Browser, calling_url: str) -> Iterator[Visitor]:
    with visiting(browser, calling_url, permissions=["notifications"]) as visitor:
        visitor.context.add_init_script(PUSH_SERVICE % SUBSCRIPTION)
        yield visitor


def test_one_click_has_this_device_called_and_another_one_ends_that(
    called: Visitor, calling_url: str, tools: Path
) -> None:
    ada = ApiPlayer(calling_url).register("Ada")
    page = ada.open_page(called, "#/account")
    assert ada.get("/v1/me/calls")["devices"] == []
    page.get_by_label("Notifications").check()
    expect(page.get_by_text("This device is also called while this page is not open.")).to_be_visible()
    assert faults(page, tools) == []
    offered = ada.get("/v1/me/calls")
    assert page.evaluate("subscribed") == offered["push_key"]
    assert len(offered["devices"]) == 1
    page.get_by_label("Notifications").uncheck()
    page.wait_for_function("() => window.subscribed === false")
    expect(page.get_by_text("This device is also called")).to_have_count(0)
    page.reload()
    called.wait_for_heading()
    assert ada.get("/v1/me/calls")["devices"] == []


def test_signing_out_ends_the_calls_to_this_device(called: Visitor, calling_url: str) -> None:
    ada = ApiPlayer(calling_url).register("Ada")
    page = ada.open_page(called, "#/account")
    page.get_by_label("Notifications").check()
    expect(page.get_by_text("This device is also called while this page is not open.")).to_be_visible()
    page.get_by_role("button", name="Forget this account").click()
    page.get_by_role(
        "button", name="Sign out anyway"
    ).click()  # the account can't be recovered, which the page has said
    expect(page.get_by_role("button", name="Forget this account")).to_have_count(0)
    assert ada.get("/v1/me/calls")["devices"] == []


def test_a_message_is_shown_only_while_no_page_is_visible_and_leads_to_the_match(
    called: Visitor, calling_url: str, deliver: Callable[[Visitor, dict[str, str]], None]
) -> None:
    page = ApiPlayer(calling_url).register("Ada").open_page(called, "#/account")
    page.get_by_label("Notifications").check()
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    [worker] = called.context.service_workers
    worker.evaluate(SHOWN)
    worker.evaluate(
        "() => { self.clients.matchAll = () => Promise.resolve([{ visibilityState: 'visible' }]); }"
    )
    deliver(called, {"match": "m1", "text": "It is your turn in The Speicherstadt."})
    worker.evaluate(
        "() => { self.clients.matchAll = () => Promise.resolve([{ visibilityState: 'hidden' }]); }"
    )
    deliver(called, {"match": "m2", "text": "Ada invites you to The Speicherstadt."})
    while not worker.evaluate("() => self.shown.length"):
        page.wait_for_timeout(20)
    body = "Ada invites you to The Speicherstadt."
    assert worker.evaluate("() => self.shown") == [["Kontor", {"body": body, "tag": "m2", "data": "m2"}]]


@pytest.fixture
def deliver() -> Callable[[Visitor, dict[str, str]], None]:
    """Return a function that gives the service worker a message, as the browser does when one arrives."""

    def give(visitor: Visitor, message: dict[str, str]) -> None:
        session = visitor.context.new_cdp_session(visitor.page)
        registrations: list[dict[str, str]] = []
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registrations.extend(event["registrations"]),
        )
        session.send("ServiceWorker.enable")
        while not registrations:
            visitor.page.wait_for_timeout(20)
        session.send(
            "ServiceWorker.deliverPushMessage",
            {
                "origin": visitor.url,
                "registrationId": registrations[-1]["registrationId"],
                "data": json.dumps(message),
            },
        )
        session.detach()

    return give
