;;; urlgrep.el --- the URLs of a message in Gnus and notmuch  -*- lexical-binding: t -*-

;; (load "/path/to/urlgrep.el") in the init file binds C-c u in both. Needs urlgrep in the PATH.

;;; Code:

(require 'goto-addr)

(defvar urlgrep-program "urlgrep" "The name of the program.")

;; Programs for other schemes do more than show something.
(defvar urlgrep-schemes '("http:" "https:" "ftp:" "gopher:" "mailto:" "news:") "The schemes that are opened.")

(defun urlgrep-region (start end)
  "Show the URLs of the text between START and END in a buffer of their own."
  (let ((buffer (get-buffer-create "*URLs*"))
        (coding-system-for-read 'utf-8)
        (coding-system-for-write 'binary))
    (with-current-buffer buffer
      (read-only-mode -1)
      (erase-buffer))
    (call-process-region start end urlgrep-program nil buffer nil "--no-config" "-u" "-")
    (with-current-buffer buffer
      (when (zerop (buffer-size)) (insert "This message has no URLs.\n"))
      (goto-char (point-min))
      (setq-local goto-address-url-regexp
                  (concat "\\<" (regexp-opt urlgrep-schemes t) thing-at-point-url-path-regexp))
      (goto-address-mode 1)
      (read-only-mode 1))
    (display-buffer buffer)))

(defun urlgrep-gnus ()
  "Show the URLs of the article that Gnus shows."
  (interactive)
  (gnus-summary-select-article)
  (with-current-buffer gnus-original-article-buffer
    (urlgrep-region (point-min) (point-max))))

(defun urlgrep-notmuch ()
  "Show the URLs of the message that notmuch shows."
  (interactive)
  (let ((id (notmuch-show-get-message-id)))
    (with-temp-buffer
      (set-buffer-multibyte nil)
      (call-process "notmuch" nil t nil "show" "--format=raw" id)
      (urlgrep-region (point-min) (point-max)))))

(with-eval-after-load 'gnus-sum
  (define-key gnus-summary-mode-map (kbd "C-c u") #'urlgrep-gnus))

(with-eval-after-load 'notmuch-show
  (define-key notmuch-show-mode-map (kbd "C-c u") #'urlgrep-notmuch))

(provide 'urlgrep)
;;; urlgrep.el ends here
